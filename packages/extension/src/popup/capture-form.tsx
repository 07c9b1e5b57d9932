import { beginningOf, count, countWords, formatBytes, sliceText } from '@recollect/contract/text';
import { Age, Button, Icon } from '@recollect/ui';
import { siteOf } from '@recollect/ui/site';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Pictures } from '../pictures/pictures.js';
import type { Reading, ReadingMode } from '../reading.js';
import type { Connection } from '../saving/connection.js';
import { commentsOf, modeNames, modesOf, nameOf, textOf } from '../saving/modes.js';
import type { TabReading } from '../saving/read-tab.js';
import type { Known } from '../saving/receipt.js';
import type { Additions } from '../saving/to-capture.js';
import { TagsField } from './tags-field.js';

interface Props {
  /** Null while the page is being read. */
  page: TabReading | null;
  /** Null until they are made. */
  pictures: Pictures | null;
  leaveOutPicture: () => void;
  /** Null selects the mode that `smart` takes. */
  mode: ReadingMode | null;
  setMode: (mode: ReadingMode) => void;
  setScope: (scope: Reading['scope']) => void;
  keepComments: (keepsComments: boolean) => void;
  additions: Additions;
  edit: (additions: Additions) => void;
  /** The memory that is already saved for the page's address. */
  known: Known | null;
  isBusy: boolean;
  /** Whether the capture has been saved as the fields have it. */
  isSaved: boolean;
  save: () => Promise<void>;
  connection: Connection;
}

/** Preview, mode, tags and note of the capture, and the save button. */
export function CaptureForm({
  page,
  pictures,
  leaveOutPicture,
  mode,
  setMode,
  setScope,
  keepComments,
  additions,
  edit,
  known,
  isBusy,
  isSaved,
  save,
  connection,
}: Props) {
  const button = useRef<HTMLButtonElement>(null);
  // Focuses immediately, but never takes the focus from a field that the user has already chosen.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) button.current?.focus({ preventScroll: true });
  }, []);

  // The status says why. Its place is kept, so that nothing moves.
  if (page !== null && 'problem' in page) {
    return (
      <div class="card">
        <div class="preview" />
      </div>
    );
  }
  const reading = page?.reading ?? null;
  const used = mode ?? reading?.smart ?? null;
  const onEdit = (name: 'title' | 'note') => (event: Event) =>
    edit({ ...additions, [name]: (event.target as HTMLInputElement).value });
  const onSubmit = (event: Event) => {
    event.preventDefault();
    void save();
  };

  return (
    <form class="card" onSubmit={onSubmit}>
      <Preview
        reading={reading}
        pictures={pictures}
        leaveOutPicture={leaveOutPicture}
        mode={used}
        setScope={setScope}
        keepComments={keepComments}
        known={known}
        title={additions.title}
        onTitle={onEdit('title')}
      />
      <Modes reading={reading} used={used} setMode={setMode} />
      <div class="fields">
        <div class="row">
          <label class="name" for="tags">
            Tags
          </label>
          <TagsField tags={additions.tags} onTags={(tags) => edit({ ...additions, tags })} connection={connection} />
        </div>
        <label>
          <span class="name">Note</span>
          <textarea
            class="field"
            value={additions.note}
            onInput={onEdit('note')}
            rows={1}
            placeholder="why it matters"
          />
        </label>
      </div>
      <Button
        ref={button}
        type="submit"
        variant={isSaved ? 'plain' : 'primary'}
        class={isSaved ? 'save saved' : 'save'}
        aria-disabled={isBusy}
      >
        {isSaved
          ? 'Saved ✓'
          : reading === null || used === null
            ? 'Save this page'
            : `Save ${lowerCase(nameOf(reading, used))}`}
      </Button>
    </form>
  );
}

interface PreviewProps
  extends Pick<Props, 'known' | 'mode' | 'pictures' | 'leaveOutPicture' | 'setScope' | 'keepComments'> {
  reading: Reading | null;
  /** The title that the user typed; null for the page's title. */
  title: string | null;
  onTitle: (event: Event) => void;
}

function Preview({
  reading,
  pictures,
  leaveOutPicture,
  mode,
  setScope,
  keepComments,
  known,
  title,
  onTitle,
}: PreviewProps) {
  if (reading === null || mode === null) {
    return (
      <div class="preview" aria-busy="true">
        <p class="facts">&nbsp;</p>
        <p class="title">Reading the page …</p>
        <div class="text" />
        <p class="choices" />
      </div>
    );
  }
  const shown = title ?? reading.title;
  const text = textOf(reading, mode);
  const comments = commentsOf(reading, mode);
  const isPdf = mode === 'page' && reading.pdf !== null;
  const isChoice = mode === 'page' && !isPdf && reading.wholeText !== null;
  const size = [
    mode === 'conversation' ? count(reading.messages?.length ?? 0, 'turn') : null,
    isChoice
      ? null
      : isPdf
        ? `PDF, ${formatBytes(((reading.pdf ?? '').length * 3) / 4)}`
        : count(countWords(text), 'word'),
  ];
  const facts = [siteOf(reading.url), ...size].filter((fact) => fact !== null);
  return (
    <div class="preview">
      <p class="facts">
        {facts.join(' · ')}
        {known !== null && (
          <span class="known">
            {mode === 'page' ? ' · Saved ' : ' · Page saved '}
            <Age instant={known.capturedAt} locale="en" />
          </span>
        )}
      </p>
      <textarea
        class="title"
        dir="auto"
        aria-label="Title"
        title={shown}
        rows={2}
        value={shown}
        placeholder={reading.title}
        onInput={onTitle}
        onBlur={(event) => {
          // Of a title that is longer than the field, the beginning says more.
          event.currentTarget.scrollTop = 0;
        }}
        onKeyDown={(event) => {
          // Line breaks are not part of a title. Enter saves, as in the other fields.
          if (event.key !== 'Enter' || event.isComposing) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
      />
      <div class="text">
        {/* Its place is kept, so that nothing moves. */}
        <div class="picture" aria-busy={pictures === null}>
          {pictures?.picture != null && (
            <button
              type="button"
              onClick={leaveOutPicture}
              aria-label="Leave out the picture"
              title="Leave out the picture"
            >
              <img src={`data:${pictures.picture.type};base64,${pictures.picture.data}`} alt="" />
              <Icon name="close" />
            </button>
          )}
        </div>
        <p class="lines" dir="auto">
          {reading.isStreaming && mode === 'conversation' && <b>The last answer is still being written. </b>}
          {isPdf ? 'Its text is read when it is saved.' : sliceText(beginningOf(text.slice(0, 1_200), shown), 0, 400)}
        </p>
      </div>
      <p class="choices">
        {isChoice && <Scopes reading={reading} setScope={setScope} />}
        {comments.length > 0 && (
          <label class="comments">
            <input
              type="checkbox"
              checked={reading.keepsComments}
              onChange={(event) => keepComments(event.currentTarget.checked)}
            />
            {count(comments.length, 'comment')}
          </label>
        )}
      </p>
    </div>
  );
}

/** The choice between the article of a page and all of its text, with their lengths. */
function Scopes({ reading, setScope }: Pick<Props, 'setScope'> & { reading: Reading }) {
  const scopes = [
    ['article', 'Article', reading.pageText],
    ['page', 'Whole page', reading.wholeText],
  ] as const;
  const labelOf = (name: string, text: string | null) => `${name}, ${count(countWords(text ?? ''), 'word')}`;
  return (
    <span class="scopes">
      {scopes.map(([scope, name, text]) => (
        <button
          key={scope}
          type="button"
          aria-pressed={reading.scope === scope}
          aria-label={labelOf(name, text)}
          title={labelOf(name, text)}
          onClick={() => setScope(scope)}
        >
          {name} {countWords(text ?? '').toLocaleString('en')}
        </button>
      ))}
    </span>
  );
}

/** Shows all modes from the start, so that nothing moves. Modes without content are disabled. */
function Modes({
  reading,
  used,
  setMode,
}: Pick<Props, 'setMode'> & { reading: Reading | null; used: ReadingMode | null }) {
  const available = reading === null ? [] : modesOf(reading);
  return (
    <fieldset class="modes">
      <legend class="hidden">What to save</legend>
      {(['page', 'selection', 'conversation'] as const).map((mode) => (
        <label key={mode}>
          <input
            type="radio"
            name="mode"
            checked={mode === used}
            disabled={!available.includes(mode)}
            onChange={() => setMode(mode)}
          />
          <span>{modeNames[mode]}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** A name within a sentence. Keeps the case of abbreviations. */
function lowerCase(name: string): string {
  return name === name.toUpperCase() ? name : name.toLowerCase();
}
