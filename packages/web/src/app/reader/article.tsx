import type { Highlight, MemoryDetail } from '@recollect/contract';
import { indexText, type Quote } from '@recollect/ui/text-index';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { findTasks, isSameButForTasks } from '../markdown/tasks.js';
import type { Passage } from '../state/query.js';
import { colourCode } from './colour-code.js';
import { markWords, openAt } from './open-at.js';
import { hideTitle, renderArticle } from './render-article.js';
import { prepareWideBlocks } from './wide-blocks.js';

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
  /** Called with the text once it is complete, and with null while it is not. */
  onComplete: (article: HTMLElement | null) => void;
  /** Called with the ids of highlights whose words are no longer in the text. */
  onLost: (ids: ReadonlySet<string>) => void;
  onSelect: (selection: { quote: Quote; range: Range } | null) => void;
}

/** The text of a memory as it was saved, opened at the passage that matched, with the user's highlights. */
export function Article({
  memory,
  highlights,
  words,
  passage,
  showsImages,
  onTick,
  onComplete,
  onLost,
  onSelect,
}: Props) {
  const root = useRef<HTMLElement>(null);
  const [isComplete, setComplete] = useState(false);
  /** The current highlights, whenever the memory is read again. */
  const marked = JSON.stringify(highlights);
  /** The text that is rendered completely; null while it is not. */
  const rendered = useRef<string | null>(null);

  useEffect(() => {
    // Ticking a box, here or elsewhere, changes nothing else.
    const element = root.current;
    if (element === null) return;
    const isSame = rendered.current !== null && isSameButForTasks(rendered.current, memory.text);
    if (isSame && showTasks(element, memory.text)) {
      rendered.current = memory.text;
      return;
    }
    rendered.current = null;
    const stopped = new AbortController();
    setComplete(false);
    void renderArticle(element, memory, showsImages, stopped.signal).then(() => {
      if (stopped.signal.aborted) return;
      rendered.current = memory.text;
      setComplete(true);
    });
    return () => {
      if (rendered.current === null) stopped.abort();
    };
  }, [memory.text, showsImages]);

  // Layout changes and the scroll to a passage come before the text counts as shown:
  // text above the passage was not read.
  useLayoutEffect(() => {
    if (!isComplete || root.current === null) return;
    const element = root.current;
    if (onTick !== undefined) enableTasks(element, memory.text);
    const stop = prepareWideBlocks(element);
    onComplete(element);
    return () => {
      onComplete(null);
      stop();
    };
  }, [isComplete]);

  useLayoutEffect(() => {
    if (isComplete && root.current !== null) hideTitle(root.current, memory.title);
  }, [isComplete, memory.title]);

  useEffect(() => {
    if (!isComplete || root.current === null) return;
    const element = root.current;
    if (highlights.length === 0) return onLost(new Set());
    const marks: HTMLElement[] = [];
    const lost = new Set<string>();
    // Found first and marked then, because marks split the nodes that were indexed.
    const index = indexText(element);
    const passages = highlights.map((highlight) => ({ highlight, range: index.find(highlight) }));
    for (const { highlight, range } of passages) {
      if (range === null) lost.add(highlight.id);
      else
        marks.push(
          ...markRange(range, () => {
            const mark = document.createElement('mark');
            mark.className = `highlight ${highlight.colour}`;
            mark.dataset.highlight = highlight.id;
            if (highlight.note !== null) mark.title = highlight.note;
            return mark;
          }),
        );
    }
    onLost(lost);
    return () => unmark(marks);
  }, [isComplete, marked]);

  // The marks of highlights split the texts in which these have their ranges.
  useEffect(() => {
    return isComplete && root.current !== null ? colourCode(root.current) : undefined;
  }, [isComplete, marked]);
  useEffect(() => {
    return isComplete && root.current !== null ? markWords(root.current, words) : undefined;
  }, [isComplete, memory.id, words, marked]);

  useLayoutEffect(() => {
    if (!isComplete || root.current === null) return;
    openAt(root.current, { words, passage: passage === null ? '' : memory.text.slice(passage.start, passage.end) });
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
    // The next press applies to the current selection, even if it was read long ago.
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
        if (target instanceof HTMLInputElement && root.current !== null)
          onTick?.(taskBoxes(root.current).indexOf(target), target.checked);
      }}
    />
  );
}

/** Milliseconds without a change of the selection before it is read. */
const SELECTION_DEBOUNCE_MS = 150;

function debounce(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, SELECTION_DEBOUNCE_MS);
  };
}

/** The displayed boxes of the task lists in a text. */
function taskBoxes(root: HTMLElement): HTMLInputElement[] {
  return [...root.querySelectorAll<HTMLInputElement>('input[type="checkbox"]')];
}

/** Enables the boxes if they match the boxes of the text exactly; ticking one changes the text. */
function enableTasks(root: HTMLElement, text: string): void {
  const boxes = taskBoxes(root);
  const tasks = findTasks(text);
  if (boxes.length !== tasks.length || boxes.some(({ checked }, at) => checked !== tasks[at]?.isDone)) return;
  for (const box of boxes) box.disabled = false;
}

/** Ticks the boxes as in the text. Returns whether the text has exactly these boxes. */
function showTasks(root: HTMLElement, text: string): boolean {
  const boxes = taskBoxes(root);
  const tasks = findTasks(text);
  if (boxes.length !== tasks.length) return false;
  for (const [at, box] of boxes.entries()) box.checked = tasks[at]?.isDone === true;
  return true;
}

/** Wraps the text of a range, which begins and ends within text, in marks, one per text node. Returns the marks. */
function markRange(range: Range, create: () => HTMLElement): HTMLElement[] {
  const nodes = textNodesIn(range);
  return nodes.flatMap((node) => {
    const start = node === range.startContainer ? range.startOffset : 0;
    const end = node === range.endContainer ? range.endOffset : node.data.length;
    if (end <= start || node.data.slice(start, end).trim() === '') return [];
    const part = node.splitText(start);
    part.splitText(end - start);
    const mark = create();
    part.replaceWith(mark);
    mark.append(part);
    return [mark];
  });
}

/** Removes marks and joins the text that they split. */
function unmark(marks: readonly HTMLElement[]): void {
  for (const mark of marks) {
    const { parentNode } = mark;
    mark.replaceWith(...mark.childNodes);
    parentNode?.normalize();
  }
}

/** Only the nodes of the range are looked at: in a text of megabytes, comparing all of them with it takes seconds. */
function textNodesIn({ commonAncestorContainer: root, startContainer, endContainer }: Range): Text[] {
  if (root instanceof Text) return [root];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  walker.currentNode = startContainer;
  const nodes: Text[] = [];
  for (let node: Node | null = startContainer; node !== null; node = walker.nextNode()) {
    nodes.push(node as Text);
    if (node === endContainer) break;
  }
  return nodes;
}
