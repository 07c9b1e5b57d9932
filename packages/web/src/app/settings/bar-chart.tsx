import { formatNumber } from '@recollect/ui/numbers';
import { useId } from 'preact/hooks';

/** Values that belong together, one for each label. */
export interface Series {
  name: string;
  values: readonly number[];
}

interface Props {
  title: string;
  /** What the chart shows, in a sentence. */
  summary: string;
  /** What the values are, if the names of the series do not say it. */
  unit?: string;
  /** What a label names, such as `Month`. */
  period: string;
  labels: readonly string[];
  /** One or two. */
  series: readonly Series[];
}

/** The height of a chart, and the width of a group of bars with the gap after it, in units of the drawing. */
const HEIGHT = 100;
const GROUP = { width: 20, gap: 6 };

/** Bars over time, with the same numbers as a table for those who want them, or cannot see the bars. */
export function BarChart({ title, summary, unit, period, labels, series }: Props) {
  const id = useId();
  const most = Math.max(1, ...series.flatMap(({ values }) => values));
  const width = labels.length * GROUP.width;
  const bar = (GROUP.width - GROUP.gap) / series.length;
  const describe = (at: number) =>
    [labels[at], ...series.map(({ name, values }) => `${name} ${formatNumber(values[at] ?? 0)}`)].join(', ');
  return (
    <section class="card chart" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p class="soft">{summary}</p>
      {series.length > 1 && (
        <p class="legend" aria-hidden="true">
          {series.map(({ name }, at) => (
            <span key={name} class={`series-${at}`}>
              {name}
            </span>
          ))}
        </p>
      )}
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {labels.map((label, at) => (
          <g key={label}>
            <title>{describe(at)}</title>
            <rect class="ground" x={at * GROUP.width} y={0} width={GROUP.width} height={HEIGHT} />
            {series.map(({ name, values }, index) => {
              const height = ((values[at] ?? 0) / most) * HEIGHT;
              const x = at * GROUP.width + GROUP.gap / 2 + index * bar;
              return (
                <rect key={name} class={`series-${index}`} x={x} y={HEIGHT - height} width={bar} height={height} />
              );
            })}
          </g>
        ))}
      </svg>
      <p class="axis soft" aria-hidden="true">
        <span>{labels[0]}</span>
        <span>
          at most {formatNumber(most)} {unit}
        </span>
        <span>{labels.at(-1)}</span>
      </p>
      <details>
        <summary>As a table</summary>
        <table class="numbers" aria-labelledby={id}>
          <thead>
            <tr>
              <th scope="col">{period}</th>
              {series.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {labels.map((label, at) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                {series.map(({ name, values }) => (
                  <td key={name}>{formatNumber(values[at] ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}
