import type { Highlight, MemoryDetail } from '@recollect/contract';
import { displayed } from '@recollect/contract/text';
import { useEffect, useRef, useState } from 'preact/hooks';
import { renderMarkdown } from '../markdown/render-markdown.js';
import { findTasks, isSameButForTasks } from '../markdown/tasks.js';
import type { Passage } from '../state/query.js';
import { colourCode } from './colour-code.js';
import type { Quote } from './find-quote.js';
import { markRange, unmark } from './mark-range.js';
import { markWords, openAt } from './open-at.js';
import { indexText } from './text-index.js';
import { prepareWideBlocks } from './wide-blocks.js';

/** Milliseconds of rendering before the browser may paint and handle input. */
const SLICE = 12;
/** Characters that the browser lays out in one go. */
const SLICE_LENGTH = 60_000;

interface Props {
  memory: MemoryDetail;
  highlights: readonly Highlight[];
  /** The words of the search that led here. */
  words: string;
  /** The part of the text that matched. Null if no search led here. */
  passage: Passage | null;
  showsImages: boolean;
  /** Stores a text in which a box was ticked or not. Without it, the boxes cannot be changed. */
  onTick?: ((index: number, isDone: boolean) => void) | undefined;
  /** Called with the ids of highlights whose words are no longer in the text. */
  onLost: (ids: ReadonlySet<string>) => void;
  onSelect: (selection: { quote: Quote; range: Range } | null) => void;
}

/** The text of a memory as it was saved, opened at the passage that matched, with the user's highlights. */
export function Article({ memory, highlights, words, passage, showsImages, onTick, onLost, onSelect }: Props) {
  const root = useRef<HTMLElement>(null);
  const [isComplete, setComplete] = useState(false);
  /** The text that is rendered completely; null while it is not. */
  const rendered = useRef<string | null>(null);

  useEffect(() => {
    // A box that is ticked, here or elsewhere, leaves all else as it is.
    if (rendered.current !== null && isSameButForTasks(rendered.current, memory.text)) {
      rendered.current = memory.text;
      if (root.current !== null) showTasks(root.current, memory.text);
      return;
    }
    rendered.current = null;
    const stopped = new AbortController();
    setComplete(false);
    void render(root.current, memory, showsImages, stopped.signal).then(() => {
      if (stopped.signal.aborted) return;
      rendered.current = memory.text;
      setComplete(true);
    });
    return () => {
      if (rendered.current === null) stopped.abort();
    };
  }, [memory.text, showsImages]);

  useEffect(() => {
    if (!isComplete || root.current === null) return;
    const element = root.current;
    if (onTick !== undefined) enableTasks(element, memory.text);
    const stops = [prepareWideBlocks(element), colourCode(element)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [isComplete]);

  useEffect(() => {
    if (!isComplete || root.current === null) return;
    const element = root.current;
    if (highlights.length === 0) return onLost(new Set());
    const marks: HTMLElement[] = [];
    const lost = new Set<string>();
    // Found first and marked then, because marks split the nodes that were indexed.
    const index = indexText(element);
    const found = highlights.map((highlight) => ({ highlight, range: index.find(highlight) }));
    for (const { highlight, range } of found) {
      if (range === null) lost.add(highlight.id);
      else
        marks.push(
          ...markRange(range, () => {
            const mark = document.createElement('mark');
            mark.className = 'highlight';
            mark.dataset.highlight = highlight.id;
            if (highlight.note !== null) mark.title = highlight.note;
            return mark;
          }),
        );
    }
    onLost(lost);
    return () => unmark(marks);
  }, [isComplete, highlights]);

  useEffect(() => {
    if (!isComplete || root.current === null) return;
    const element = root.current;
    const clear = markWords(element, words);
    openAt(element, { words, passage: passage === null ? '' : memory.text.slice(passage.start, passage.end) });
    return clear;
  }, [isComplete, memory.id, words]);

  useEffect(() => {
    const onChange = () => {
      // The field for a note on the selected text has the focus now.
      if (document.activeElement?.closest('.highlight-bar') != null) return;
      const selection = getSelection();
      const range = selection !== null && selection.rangeCount > 0 ? selection.getRangeAt(0) : null;
      const element = root.current;
      if (range === null || range.collapsed || element === null || !element.contains(range.commonAncestorContainer)) {
        onSelect(null);
        return;
      }
      const quote = indexText(element).quoteOf(range);
      onSelect(quote === null ? null : { quote, range });
    };
    const later = debounce(onChange);
    document.addEventListener('selectionchange', later);
    // What is pressed next is for what is selected now, however long ago that was read.
    document.addEventListener('pointerdown', onChange, true);
    document.addEventListener('keydown', onChange, true);
    return () => {
      document.removeEventListener('selectionchange', later);
      document.removeEventListener('pointerdown', onChange, true);
      document.removeEventListener('keydown', onChange, true);
    };
  }, [memory.id]);

  return (
    <article
      ref={root}
      class="article"
      lang={memory.page.language}
      aria-busy={!isComplete}
      onChange={({ target }) => {
        if (target instanceof HTMLInputElement)
          onTick?.(tasksIn(target.closest('.article')).indexOf(target), target.checked);
      }}
    />
  );
}

/** Renders in slices of time, so that a text of megabytes does not block the page. */
async function render(
  root: HTMLElement | null,
  { title, text, turns, sourceType }: MemoryDetail,
  showsImages: boolean,
  signal: AbortSignal,
): Promise<void> {
  if (root === null) return;
  root.replaceChildren();
  let since = performance.now();
  let length = 0;
  const parts = turns === null ? [{ role: null, text }] : turns;
  for (const part of parts) {
    const target = part.role === null ? root : turnElement(root, speakerOf(part.role, sourceType));
    for (const fragment of renderMarkdown(part.text, { showsImages })) {
      length += fragment.textContent?.length ?? 0;
      target.append(fragment);
      hideTitle(root, title);
      if (performance.now() - since < SLICE && length < SLICE_LENGTH) continue;
      await new Promise((resolve) => setTimeout(resolve));
      if (signal.aborted) return;
      since = performance.now();
      length = 0;
    }
  }
}

const tasksIn = (root: Element | null) => [
  ...(root?.querySelectorAll<HTMLInputElement>('input[type="checkbox"]') ?? []),
];

/** Lets the boxes be ticked, if the text has exactly these: what is ticked here changes the text there. */
function enableTasks(root: HTMLElement, text: string): void {
  const boxes = tasksIn(root);
  const tasks = findTasks(text);
  if (boxes.length !== tasks.length || boxes.some(({ checked }, at) => checked !== tasks[at]?.isDone)) return;
  for (const box of boxes) box.disabled = false;
}

function showTasks(root: HTMLElement, text: string): void {
  const tasks = findTasks(text);
  for (const [at, box] of tasksIn(root).entries()) box.checked = tasks[at]?.isDone === true;
}

/** Hides a first heading that is the title, which stands above it already. It stays in the text, because it may be highlighted. */
function hideTitle(root: HTMLElement, title: string): void {
  const first = root.firstElementChild;
  if (first instanceof HTMLHeadingElement && first.textContent.trim() === title.trim()) first.hidden = true;
}

/** The assistants that a conversation can be with, by its source. */
const ASSISTANTS: Readonly<Record<string, string>> = { chatgpt: 'ChatGPT', claude: 'Claude', openclaw: 'OpenClaw' };

/** Who says a turn, such as `You` or `Claude`. */
function speakerOf(role: string, sourceType: string): string {
  if (OWN.test(role)) return 'You';
  return /^(?:assistant|model|ai)$/i.test(role) ? (ASSISTANTS[sourceType] ?? 'Assistant') : role;
}

const OWN = /^(?:user|human|you)$/i;

function turnElement(root: HTMLElement, role: string): HTMLElement {
  const turn = document.createElement('section');
  turn.className = OWN.test(role) ? 'turn own' : 'turn';
  if (role !== '') {
    const heading = document.createElement('h2');
    heading.className = 'turn-role';
    heading.textContent = displayed(role);
    turn.append(heading);
  }
  root.append(turn);
  return turn;
}

/** Milliseconds without a change of the selection before it is read. */
const SETTLE = 150;

function debounce(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, SETTLE);
  };
}
