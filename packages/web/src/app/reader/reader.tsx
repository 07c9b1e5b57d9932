import type { MemoryDetail } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { Button } from '@recollect/ui';
import type { Quote } from '@recollect/ui/text-index';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import { client, explain } from '../api/client.js';
import { reportChanges } from '../api/events.js';
import { Picture } from '../list/served-image.js';
import { usePageTitle } from '../shell/page-title.js';
import { addTags, deleteMemories, removeTags, restoreMemories } from '../state/changes.js';
import { fetchPage } from '../state/fetches.js';
import { nextColour } from '../state/highlight-colour.js';
import { listedQuery } from '../state/load-list.js';
import { readPassage, searchAddress } from '../state/query.js';
import { announce, announceFailure, succeeds } from '../state/status.js';
import { useMedia } from '../state/use-media.js';
import '../styles/reader.css';
import '../styles/reader-bar.css';
import '../styles/reader-layout.css';
import { Article } from './article.js';
import { Comments } from './comments.js';
import { Facts } from './facts.js';
import { NoteField, TagsEditor, TitleEditor } from './fields.js';
import { HighlightBar } from './highlight-bar.js';
import { mayShowImages } from './images.js';
import { outlineOf } from './outline.js';
import { FixedContents } from './outline-list.js';
import { ReaderAside } from './reader-aside.js';
import { ReaderBar } from './reader-bar.js';
import { useReaderTheme } from './reader-theme.js';
import { ReaderTools } from './reader-tools.js';
import { readAloud } from './speech.js';
import { SpeechPlayer } from './speech-player.js';
import { hasTextDraft, TextEditor } from './text-editor.js';
import { textSettings } from './text-settings.js';
import { isOwnText } from './use-draft.js';

import { type OpenMemory, useMemory } from './use-memory.js';
import { useReading } from './use-reading.js';
import { useReturnFocus } from './use-return-focus.js';

/** The selected words, and where they stand. */
interface Selected {
  quote: Quote;
  range: Range;
}

/** One memory: its text, facts, tags, note and highlights, and the memories that belong to it. */
export default function Reader() {
  const { params, query } = useRoute();
  const id = params.id ?? '';
  // Nothing of one memory may reach the page of another: not its state, and no answer that comes late.
  return <MemoryPage key={id} id={id} query={query} />;
}

function MemoryPage({ id, query }: { id: string; query: Record<string, string> }) {
  const { route } = useLocation();
  const open = useMemory(id);
  const { memory, highlights, problem } = open;
  useReading(memory, query.q !== undefined || query.at !== undefined);
  const [lost, setLost] = useState<ReadonlySet<string>>(new Set());
  const [selected, setSelected] = useState<Selected | null>(null);
  /** The selection before it is rendered: a key can come in between. */
  const latest = useRef<Selected | null>(null);
  const select = useCallback((now: Selected | null) => {
    latest.current = now;
    setSelected(now);
  }, []);
  /** The text, once it is complete, and where it can be jumped to. */
  const [article, setArticle] = useState<HTMLElement | null>(null);
  const outline = useMemo(() => (article === null ? null : outlineOf(article)), [article, memory?.text]);
  const [isEditing, setEditing] = useState(() => hasTextDraft(id));
  const [isDeleting, setDeleting] = useState(false);
  const editText = useReturnFocus(isEditing);
  const showsImages = query.images === 'show' && mayShowImages(id);
  const isShown = memory?.id === id && problem?.isGone !== true;
  usePageTitle(isShown ? memory.title : problem === null ? '' : 'Not here');

  const remove = useCallback(async () => {
    setDeleting(true);
    // In place of this page, which Back would otherwise show again.
    if (await succeeds(deleteMemories([id]))) route(searchAddress(listedQuery.peek() ?? ''), true);
    setDeleting(false);
  }, [id, route]);

  const highlight = async (note: string | null) => {
    if (latest.current === null) return announce('Select some of the text first.');
    const { quote } = latest.current;
    try {
      const body = { ...quote, note, colour: nextColour.peek() };
      const created = await client('createHighlight', { parameters: { id }, body });
      getSelection()?.removeAllRanges();
      select(null);
      announce('Highlighted.', async () => {
        await client('deleteHighlight', { parameters: { id: created.id } });
        reportChanges([id]);
      });
      reportChanges([id]);
    } catch (error) {
      announceFailure(explain(error));
    }
  };

  useLayoutEffect(() => {
    const onKey = (event: Event) => {
      const { detail } = event as CustomEvent<string>;
      if (detail === 'delete') void remove();
      if (detail === 'highlight') void highlight(null);
    };
    addEventListener('recollect-reader', onKey);
    return () => removeEventListener('recollect-reader', onKey);
  }, [remove]);

  useReaderTheme();
  const isWide = useMedia('(width >= 75rem)');
  const { size, font, width, leading } = textSettings.value;
  const isGone = problem?.isGone === true && !isDeleting;
  if (problem !== null && memory === null)
    return (
      <main id="main" tabIndex={-1} class="reader">
        <NoMemory id={id} problem={problem} />
      </main>
    );
  if (memory === null) return <main id="main" tabIndex={-1} class="reader" aria-busy="true" />;
  return (
    <div
      class="reader-page"
      data-size={size}
      data-font={font}
      data-width={width}
      data-leading={leading}
      data-shown={article !== null || isEditing ? '' : undefined}
    >
      <main id="main" tabIndex={-1} class="reader">
        {isGone && <NoMemory id={id} problem={problem} />}
        {/* The typed text stays, in case the memory comes back. */}
        <div class="reader-content" hidden={isGone}>
          <ReaderBar id={id} outline={isWide ? null : outline} article={article}>
            <ReaderTools
              memory={memory}
              highlights={highlights}
              onDelete={remove}
              onEditText={() => setEditing(true)}
              onHighlight={() => void highlight(null)}
              onReadAloud={() => article !== null && void readAloud(article, memory.page.language ?? '')}
              editText={editText}
              showsImages={showsImages}
            />
          </ReaderBar>
          <div class="reader-head">
            <div>
              <TitleEditor
                id={id}
                title={memory.title}
                onSave={async (title, base) =>
                  (await open.update({ title }, 'Title changed.', { title: base }))?.title ?? null
                }
              />
              <DamageWarning warning={memory.warning} />
              <Facts memory={memory} />
              <TagsEditor
                tags={memory.tags}
                onAdd={(tags) => succeeds(addTags([id], tags))}
                onRemove={(tags) => succeeds(removeTags([id], tags))}
              />
            </div>
            {memory.pictureHash !== undefined && <Picture class="lead-picture" memory={memory} />}
          </div>
          <LinkHint memory={memory} />
          {isEditing ? (
            <TextEditor
              memory={memory}
              onSave={async (text, base) =>
                (await open.update({ text }, 'Text changed.', { textHash: base }))?.textHash ?? null
              }
              onClose={() => setEditing(false)}
            />
          ) : (
            <Article
              memory={memory}
              highlights={highlights}
              words={query.q ?? ''}
              passage={readPassage(query.at)}
              showsImages={showsImages}
              onTick={isOwnText(memory) ? open.tick : undefined}
              onComplete={setArticle}
              onLost={setLost}
              onSelect={select}
            />
          )}
          <Comments comments={memory.comments} />
          {selected !== null && <HighlightBar range={selected.range} onHighlight={highlight} />}
        </div>
      </main>
      {isWide && outline !== null && !isGone && <FixedContents outline={outline} />}
      <ReaderAside memory={memory} highlights={highlights} lost={lost} isHidden={isGone}>
        <NoteField
          id={id}
          note={memory.note}
          onSave={async (note, base) => (await open.update({ note }, 'Note saved.', { note: base }))?.note}
        />
      </ReaderAside>
      <SpeechPlayer />
    </div>
  );
}

/** Says that the disk has changed part of the memory. */
function DamageWarning({ warning }: { warning: string | null }) {
  return warning === null ? null : (
    <p role="alert" class="warning">
      {warning}
    </p>
  );
}

/** Says that only the address is saved, and how to get the text of the page. */
function LinkHint({ memory: { id, isLink } }: { memory: Pick<MemoryDetail, 'id' | 'isLink'> }) {
  const [isFetching, setFetching] = useState(false);
  if (!isLink) return null;
  const fetch = async () => {
    setFetching(true);
    const problem = await fetchPage(id).catch(explain);
    setFetching(false);
    if (problem === null) announce('Page saved.');
    else announceFailure(problem);
  };
  return (
    <p class="link-hint">
      Only the link was saved.{' '}
      <Button icon="download" onClick={() => void (isFetching || fetch())}>
        {isFetching ? 'Fetching the page…' : 'Fetch the page'}
      </Button>
    </p>
  );
}

interface Props {
  id: string;
  problem: NonNullable<OpenMemory['problem']>;
}

/** Says that a memory is in the trash or cannot be read. */
function NoMemory({ id, problem: { text, isGone } }: Props) {
  const [isInTrash, setInTrash] = useState(false);
  useEffect(() => {
    setInTrash(false);
    if (isGone) void findInTrash(id).then(setInTrash, () => {});
  }, [id, isGone]);
  return (
    <div class="empty-state" role="alert">
      <h1>{isGone ? 'This memory is not here.' : 'This memory could not be read.'}</h1>
      <p>{explainGone(isGone ? isInTrash : null) ?? text}</p>
      <div class="form-actions">
        {isInTrash && (
          <Button icon="restore" onClick={() => void succeeds(restoreMemories([id]))}>
            Restore it from the trash
          </Button>
        )}
        <a class="button plain" href={searchAddress('')}>
          Show everything
        </a>
      </div>
    </div>
  );
}

function explainGone(isInTrash: boolean | null): string | null {
  if (isInTrash === null) return null;
  return isInTrash
    ? 'It is in the trash.'
    : 'There is no memory at this address. It may have been permanently deleted.';
}

/** Whether a memory is in the trash. */
async function findInTrash(id: string): Promise<boolean> {
  let cursor: string | undefined;
  do {
    const page = await client('listTrash', { query: { cursor, limit: limits.memories.page.maximum } });
    if (page.memories.some((memory) => memory.id === id)) return true;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return false;
}
