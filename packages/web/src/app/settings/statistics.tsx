import '../styles/statistics.css';
import type { Statistics } from '@recollect/contract';
import { count, displayed, formatBytes } from '@recollect/contract/text';
import { longDate, monthLabel } from '@recollect/ui/dates';
import { formatNumber } from '@recollect/ui/numbers';
import { client } from '../api/client.js';
import { searchAddress } from '../state/query.js';
import { useResource } from '../state/use-resource.js';
import { BarChart, type Series } from './bar-chart.js';
import { Section } from './section.js';

/** What the user saved and read, on one quiet page. */
export function StatisticsPage() {
  const { value, problem } = useResource(() => client('statistics', {}), { changes: 'any' });
  return <Section problem={problem}>{value !== null && <Charts {...value} />}</Section>;
}

function Charts({ memories, highlights, textBytes, weeks, months, sites, tags }: Statistics) {
  const reading = weeks.reduce((sum, { minutes }) => sum + minutes, 0);
  const saved = weeks.reduce((sum, week) => sum + week.saved, 0);
  const read = weeks.reduce((sum, week) => sum + week.read, 0);
  const weekly = (values: readonly Series[]) => ({
    period: 'Week of',
    labels: weeks.map(({ week }) => longDate(week)),
    series: values,
  });
  return (
    <>
      <dl class="facts tiles">
        {Object.entries({
          Memories: formatNumber(memories),
          Highlights: formatNumber(highlights),
          Text: formatBytes(textBytes),
          'Read in half a year': readingTime(reading),
        }).map(([name, fact]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
      </dl>
      <BarChart
        title="Saved and read a week"
        summary={`In the last ${weeks.length} weeks: ${count(saved, 'memory', 'memories')} saved, ${formatNumber(read)} read.`}
        {...weekly([
          { name: 'Saved', values: weeks.map((week) => week.saved) },
          { name: 'Read', values: weeks.map((week) => week.read) },
        ])}
      />
      <BarChart
        title="Time of reading"
        summary={`About ${readingTime(reading)} in the last ${weeks.length} weeks, by the length of what you read.`}
        unit="minutes"
        {...weekly([{ name: 'Minutes', values: weeks.map(({ minutes }) => minutes) }])}
      />
      <BarChart
        title="Growth"
        summary={`${count(memories, 'memory', 'memories')} by the time that they were saved.`}
        period="Month"
        labels={months.map(({ month }) => monthLabel(month))}
        series={[{ name: 'Memories', values: months.map(({ total }) => total) }]}
      />
      <div class="rankings">
        <Ranking title="Sites" entries={sites} address={(site) => searchAddress(`site:${site}`)} />
        <Ranking title="Tags" entries={tags} address={(tag) => searchAddress(`tag:${quoted(tag)}`)} />
      </div>
    </>
  );
}

/** @example readingTime(135) // '2 h 15 min' */
function readingTime(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes} min` : `${formatNumber(hours)} h ${minutes % 60} min`;
}

function quoted(tag: string): string {
  return /[\s"]/.test(tag) ? `"${tag.replaceAll('"', '')}"` : tag;
}

interface RankingProps {
  title: string;
  entries: Statistics['sites'];
  address: (value: string) => string;
}

/** The most frequent values, each with a bar that shows its share of the first one. */
function Ranking({ title, entries, address }: RankingProps) {
  if (entries.length === 0) return null;
  const id = `ranking-${title.toLowerCase()}`;
  const most = Math.max(...entries.map((entry) => entry.count));
  return (
    <section class="card chart" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ol class="ranking" aria-labelledby={id}>
        {entries.map(({ value, count: memories }) => (
          <li key={value}>
            <a href={address(value)}>
              <bdi>{displayed(value)}</bdi>
            </a>
            <span class="soft">{formatNumber(memories)}</span>
            <progress aria-hidden="true" max={most} value={memories} />
          </li>
        ))}
      </ol>
    </section>
  );
}
