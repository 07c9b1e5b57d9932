import { count, displayed } from '@recollect/contract/text';
import { formatNumber } from '@recollect/ui/numbers';
import { useEffect, useState } from 'preact/hooks';
import { compareTexts, condense, type Part, type ShownPart } from './compare-texts.js';

interface Props {
  before: string;
  after: string;
}

/** The removed and added parts of a text. They differ in colour and in style. */
export function Comparison({ before, after }: Props) {
  const [parts, setParts] = useState<readonly Part[] | null>(null);
  useEffect(() => {
    let isCurrent = true;
    setParts(null);
    void compareTexts(before, after).then((compared) => {
      if (isCurrent) setParts(compared);
    });
    return () => {
      isCurrent = false;
    };
  }, [before, after]);
  return (
    <>
      <p class="soft" role="status">
        {parts === null ? 'Comparing…' : describe(parts)}
      </p>
      {parts?.some(isChange) && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, the keyboard cannot scroll.
        <section class="comparison" aria-label="Compared texts" tabIndex={0} dir="auto">
          {condense(parts).map((part, index) => (
            <Passage key={index} part={part} />
          ))}
        </section>
      )}
    </>
  );
}

function Passage({ part }: { part: ShownPart }) {
  if (part.kind === 'skipped')
    return <span class="skipped">{formatNumber(part.characters)} characters are not shown</span>;
  const text = displayed(part.text);
  if (part.kind === 'same') return <>{text}</>;
  const Tag = part.kind === 'removed' ? 'del' : 'ins';
  return (
    <Tag>
      <span class="hidden"> {part.kind}: </span>
      {text}
      <span class="hidden"> end of {part.kind} </span>
    </Tag>
  );
}

const isChange = ({ kind }: Part) => kind !== 'same';

function describe(parts: readonly Part[]): string {
  if (!parts.some(isChange)) return 'The texts are the same.';
  const [removed, added] = (['removed', 'added'] as const).map((kind) => parts.filter((part) => part.kind === kind));
  return `${count(removed?.length ?? 0, 'passage')} removed, ${formatNumber(added?.length ?? 0)} added.`;
}
