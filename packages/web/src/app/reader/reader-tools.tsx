import type { Highlight, MemoryDetail } from '@recollect/contract';
import { places } from '@recollect/contract/vocabulary';
import { Button, Icon, type IconName } from '@recollect/ui';
import { longDate } from '@recollect/ui/dates';
import { siteOf } from '@recollect/ui/site';
import type { RefObject } from 'preact';
import { useMemo } from 'preact/hooks';
import { Menu } from '../dialogs/menu.js';
import { markMemories, moveMemories, starMemories } from '../state/changes.js';
import { copyText } from '../state/copy-text.js';
import { quotesOf, toMarkdown } from '../state/export-memories.js';
import { placeLabels } from '../state/places.js';
import { memoryToAdd, sharedCollections } from '../state/sharing.js';
import { succeeds } from '../state/status.js';
import { useMedia } from '../state/use-media.js';
import { pageFact } from './facts.js';
import { canFillScreen, toggleFullScreen } from './full-screen.js';
import { hideImages, showImages } from './images.js';
import { isOwnText } from './use-draft.js';

interface Props {
  memory: MemoryDetail;
  highlights: readonly Highlight[];
  onDelete: () => Promise<void>;
  onEditText: () => void;
  onHighlight: () => void;
  onReadAloud: () => void;
  showsImages: boolean;
  /** The button that edits the text. */
  editText: RefObject<HTMLButtonElement | null>;
}

/** Something that can be done with a memory. Rare ones are in the menu. */
interface Action {
  name: string;
  icon: IconName;
  isRare?: boolean;
  run: () => void;
}

/** An image in Markdown or HTML. Its parts are short, so that the search takes linear time. */
const IMAGE = /!\[[^\]\n]{0,300}\](?:\(\s{0,9}<?https?:|\[)|<img\s/;

/**
 * The actions for a memory: frequent actions in the bar, the rest in a menu.
 * In a narrow window, nearly all are in the menu.
 */
export function ReaderTools(props: Props) {
  const { memory, showsImages, editText } = props;
  const { id, url, text } = memory;
  const isNarrow = useMedia('(width < 40rem)');
  const hasImages = useMemo(() => IMAGE.test(text), [text]);
  const all = actionsOf(props);
  const inBar = isNarrow ? [] : all.filter(({ isRare }) => isRare !== true);
  const inMenu = all.filter((action) => !inBar.includes(action));
  return (
    <>
      <ReadingButtons memory={memory} />
      {!isNarrow && <OriginalLink url={url} class="icon-only" />}
      {isOwnText(memory) && (
        <Button ref={editText} variant="quiet" icon="edit" aria-label="Edit text" onClick={props.onEditText} />
      )}
      {inBar.map(({ name, icon, run }) => (
        <Button key={name} variant="quiet" icon={icon} aria-label={name} onClick={run} />
      ))}
      <Menu label="More" icon="more">
        {isNarrow && <OriginalLink url={url} />}
        {inMenu.map(({ name, icon, run }) => (
          <Button key={name} variant="quiet" icon={icon} onClick={run}>
            {name}
          </Button>
        ))}
        {hasImages && (
          <Button variant="quiet" icon="globe" onClick={() => (showsImages ? hideImages : showImages)(id)}>
            {showsImages ? 'Hide images' : 'Show images'}
          </Button>
        )}
        <Button variant="quiet" icon="trash" onClick={() => void props.onDelete()}>
          Delete
        </Button>
      </Menu>
    </>
  );
}

/** The way to the page that a memory is of; nothing if it is of none. */
function OriginalLink({ url, class: extra = '' }: { url: string | null; class?: string }) {
  if (url === null || siteOf(url) === '') return null;
  return (
    <a
      class={`button quiet ${extra}`}
      href={url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title="Open original"
    >
      <Icon name="open" />
      <span class={extra === '' ? '' : 'hidden'}>Open original</span>
    </a>
  );
}

function actionsOf({ memory, highlights, onHighlight, onReadAloud }: Props): Action[] {
  const copy = (text: string, done: string) => () => void copyText(text, done);
  return [
    { name: 'Copy as Markdown', icon: 'copy', run: copy(toMarkdown(memory), 'Copied as Markdown.') },
    { name: 'Highlight', icon: 'highlight', run: onHighlight },
    { name: 'Read aloud', icon: 'speak', run: onReadAloud },
    ...(canFillScreen() ? [{ name: 'Full screen', icon: 'expand' as const, run: () => void toggleFullScreen() }] : []),
    ...places
      .filter((place) => place !== memory.place)
      .map((place) => ({
        name: `Move to ${placeLabels[place].name}`,
        icon: placeLabels[place].icon,
        isRare: true,
        run: () => void succeeds(moveMemories([memory.id], place)),
      })),
    { name: 'Copy citation', icon: 'link', isRare: true, run: copy(citationOf(memory), 'Citation copied.') },
    ...(highlights.length === 0
      ? []
      : [
          {
            name: 'Copy highlights',
            icon: 'highlight' as const,
            isRare: true,
            run: copy(quotesOf(memory, highlights), 'Highlights copied.'),
          },
        ]),
    ...(sharedCollections.value.some(({ mayAdd }) => mayAdd)
      ? [
          {
            name: 'Add to a shared tag',
            icon: 'share' as const,
            isRare: true,
            run: () => {
              memoryToAdd.value = memory.id;
            },
          },
        ]
      : []),
  ];
}

function citationOf(memory: MemoryDetail): string {
  const { title, url, capturedAt } = memory;
  const site = pageFact(memory, 'siteName') ?? (url === null ? '' : siteOf(url));
  const parts = [pageFact(memory, 'author'), `“${title}”`, site, pageFact(memory, 'published')];
  const source = url === null ? '' : ` ${url}`;
  return `${parts.filter((part) => part !== undefined && part !== '').join('. ')}.${source} (saved ${longDate(capturedAt)})`;
}

/** The star of a memory, and whether it was read. The keys `s` and `m` press them. */
function ReadingButtons({ memory: { id, starred, readState } }: { memory: MemoryDetail }) {
  const isRead = readState === 'read';
  return (
    <>
      <Button
        id="star"
        variant="quiet"
        icon="star"
        class={starred ? 'starred' : ''}
        aria-label="Star"
        aria-pressed={starred}
        title={starred ? 'Remove the star' : 'Star'}
        onClick={() => void succeeds(starMemories([id], !starred))}
      />
      <Button
        id="mark-read"
        variant="quiet"
        icon="check"
        aria-label="Mark as read"
        aria-pressed={isRead}
        title={isRead ? 'Mark as unread' : 'Mark as read'}
        onClick={() => void succeeds(markMemories([id], isRead ? 'unread' : 'read'))}
      />
    </>
  );
}
