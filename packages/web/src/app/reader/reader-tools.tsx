import type { Highlight, MemoryDetail } from '@recollect/contract';
import { Button, Icon } from '@recollect/ui';
import { longDate } from '@recollect/ui/dates';
import { siteOf } from '@recollect/ui/site';
import type { RefObject } from 'preact';
import { useMemo } from 'preact/hooks';
import { copyText } from '../state/copy-text.js';
import { quotesOf, toMarkdown } from '../state/export-memories.js';
import { hideImages, showImages } from './images.js';
import { pageFact } from './page-fact.js';
import { ReadingButtons } from './reading-buttons.js';

interface Props {
  memory: MemoryDetail;
  highlights: readonly Highlight[];
  onDelete: () => Promise<void>;
  onEditText: () => void;
  showsImages: boolean;
  /** The button that edits the text. */
  editText: RefObject<HTMLButtonElement | null>;
}

/** An image in Markdown. Its parts are short, so that the search takes linear time. */
const IMAGE = /!\[[^\]\n]{0,300}\](?:\(\s{0,9}<?https?:|\[)/;

/** What can be done with a memory. */
export function ReaderTools({ memory, highlights, onDelete, onEditText, editText, showsImages }: Props) {
  const { id, url, text } = memory;
  const isOwnText = memory.sourceType === 'note';
  const hasImages = useMemo(() => IMAGE.test(text), [text]);
  return (
    <div class="reader-tools" role="toolbar" aria-label="Memory">
      <ReadingButtons memory={memory} />
      {url !== null && siteOf(url) !== '' && (
        <a
          class="button quiet icon-only"
          href={url}
          target="_blank"
          rel="noopener noreferrer nofollow"
          aria-label="Open original"
          title="Open original"
        >
          <Icon name="open" />
        </a>
      )}
      {isOwnText && <Button ref={editText} variant="quiet" icon="edit" aria-label="Edit text" onClick={onEditText} />}
      <Button
        variant="quiet"
        icon="copy"
        aria-label="Copy as Markdown"
        onClick={() => void copyText(toMarkdown(memory), 'Copied as Markdown.')}
      />
      <Button
        variant="quiet"
        icon="link"
        aria-label="Copy citation"
        onClick={() => void copyText(citationOf(memory), 'Citation copied.')}
      />
      {highlights.length > 0 && (
        <Button
          variant="quiet"
          icon="highlight"
          aria-label="Copy highlights"
          onClick={() => void copyText(quotesOf(memory, highlights), 'Highlights copied.')}
        />
      )}
      {hasImages && (
        <Button variant="quiet" onClick={() => (showsImages ? hideImages : showImages)(id)}>
          {showsImages ? 'Hide images' : 'Show images'}
        </Button>
      )}
      <Button variant="quiet" icon="trash" aria-label="Delete" onClick={() => void onDelete()} />
    </div>
  );
}

function citationOf(memory: MemoryDetail): string {
  const { title, url, capturedAt } = memory;
  const site = pageFact(memory, 'siteName') ?? (url === null ? '' : siteOf(url));
  const parts = [pageFact(memory, 'author'), `“${title}”`, site, pageFact(memory, 'published')];
  const source = url === null ? '' : ` ${url}`;
  return `${parts.filter((part) => part !== undefined && part !== '').join('. ')}.${source} (saved ${longDate(capturedAt)})`;
}
