import type { MemoryDetail } from '@recollect/contract';
import { propertiesOf } from '@recollect/contract/properties';
import { byActor, clipText, displayed } from '@recollect/contract/text';
import { Age, SourceIcon, sourceName } from '@recollect/ui';
import { longDate, relativeDay, shortDay } from '@recollect/ui/dates';
import { formatNumber } from '@recollect/ui/numbers';
import { siteOf } from '@recollect/ui/site';
import { useMemo } from 'preact/hooks';
import { readingTime } from '../state/reading-time.js';
import { saveTimes } from '../state/save-times.js';

const KINDS: Readonly<Record<string, string>> = {
  md: 'Markdown file',
  markdown: 'Markdown file',
  txt: 'Text file',
  html: 'HTML file',
  htm: 'HTML file',
};

/** The kind of file that a memory was read from, such as `PDF file`; null if it is not from a file. */
function fileKind({ sourceType, metadata }: Pick<MemoryDetail, 'sourceType' | 'metadata'>): string | null {
  if (sourceType !== 'file') return null;
  const extension = /\.(\w{1,8})$/.exec(String(metadata.fileName))?.[1];
  if (extension === undefined) return 'File';
  return KINDS[extension.toLowerCase()] ?? `${extension.toUpperCase()} file`;
}

/** Characters of a property that are shown. */
const MAX_PROPERTY_CHARACTERS = 120;
/** Properties of files that are shown elsewhere. */
const SHOWN_ELSEWHERE = ['author', 'published', 'language', 'url', 'link', 'canonical', 'note'];

/** The facts of a memory, in one line. */
export function Facts({ memory }: { memory: MemoryDetail }) {
  const { url, sourceType, capturedAt, lastCapturedAt, savedBy } = memory;
  const { savedAt, isLater, isImport } = saveTimes(memory);
  const site = url === null ? '' : siteOf(url);
  const author = pageFact(memory, 'author');
  const published = pageFact(memory, 'published');
  const language = pageFact(memory, 'language');
  const properties = propertiesOf(memory.metadata).filter(([name]) => !SHOWN_ELSEWHERE.includes(name.toLowerCase()));
  const words = useMemo(() => countWords(memory.text), [memory.text]);
  const length = `${formatNumber(words)} ${words === 1 ? 'word' : 'words'}`;
  return (
    <dl class="facts dotted">
      <Fact name="Source" isPlain>
        <SourceIcon sourceType={sourceType} />{' '}
        {url !== null && site !== '' ? (
          <a href={url} target="_blank" rel="noopener noreferrer nofollow" title={url}>
            <bdi>{site}</bdi>
          </a>
        ) : (
          (fileKind(memory) ?? sourceName(sourceType))
        )}
      </Fact>
      {author !== undefined && (
        <Fact name="Author" isPlain>
          <bdi>{displayed(author)}</bdi>
        </Fact>
      )}
      {published !== undefined && <Fact name="Published">{longDate(published)}</Fact>}
      {isLater ? (
        <Fact name="From">
          <time datetime={capturedAt} title={longDate(capturedAt)}>
            {shortDay(capturedAt)}
          </time>
          , {isImport ? 'imported' : 'saved'}{' '}
          <time datetime={savedAt} title={longDate(savedAt)}>
            {relativeDay(savedAt)}
          </time>
          {savedBy !== null && !isImport && <> {byActor(savedBy)}</>}
        </Fact>
      ) : (
        <Fact name="Saved">
          <Age instant={capturedAt} style="long" />
          {savedBy !== null && <> {byActor(savedBy)}</>}
        </Fact>
      )}
      {lastCapturedAt !== capturedAt && (
        <Fact name="Saved again">
          <Age instant={lastCapturedAt} style="long" />
        </Fact>
      )}
      {language !== undefined && (
        <Fact name="Language" isPlain>
          {languageName(language)}
        </Fact>
      )}
      {properties.map(([name, value]) => (
        <Fact key={name} name={name}>
          <bdi title={value.length > MAX_PROPERTY_CHARACTERS ? displayed(value) : undefined}>
            {displayed(clipText(value, MAX_PROPERTY_CHARACTERS))}
          </bdi>
        </Fact>
      ))}
      {!memory.isLink && (
        <Fact name="Length" isPlain>
          <span title={length}>{memory.minutes === 0 ? length : readingTime(memory.minutes)}</span>
        </Fact>
      )}
      {memory.embedding.state === 'pending' && (
        <Fact name="Search" isPlain>
          Found by words now, by meaning soon
        </Fact>
      )}
    </dl>
  );
}

interface FactProps {
  name: string;
  /** Whether the value is clear without its name, which is then only read aloud. */
  isPlain?: boolean;
  children: preact.ComponentChildren;
}

function Fact({ name, isPlain = false, children }: FactProps) {
  return (
    <div>
      <dt class={isPlain ? 'hidden' : undefined}>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function countWords(whole: string): number {
  let count = 0;
  // Also splits scripts without spaces into words.
  for (const { isWordLike } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(whole.slice(0, 200_000)))
    if (isWordLike) count += 1;
  return whole.length > 200_000 ? Math.round((count * whole.length) / 200_000) : count;
}

function languageName(code: string): string {
  try {
    return new Intl.DisplayNames(undefined, { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** A fact about the page of a memory: from the page, or else from the client, or from the front matter of its file. */
export function pageFact(
  { page, metadata }: Pick<MemoryDetail, 'page' | 'metadata'>,
  name: string,
): string | undefined {
  const [, property] = propertiesOf(metadata).find(([known]) => known.toLowerCase() === name.toLowerCase()) ?? [];
  return [page[name], metadata[name], property]
    .find((value) => typeof value === 'string' && value.trim() !== '')
    ?.toString()
    .trim();
}
