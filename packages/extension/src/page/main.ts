import { limits } from '@recollect/contract/limits';
import { ask } from './ask.js';
import { createBar } from './bar.js';
import { findRanges } from './find-ranges.js';
import { isField, isTyping } from './is-typing.js';
import { canMark, createMarks } from './marks.js';
import type { PageHighlight, StopMessage } from './messages.js';
import { indexVisiblePage } from './page-text.js';
import { pageAddress, watchAddress } from './watch-address.js';

/** Milliseconds without a change of the selection, or of the page, before it is read. */
const DEBOUNCE_MS = { selection: 200, page: 500 };
/** The longest pause between searches for highlights that the page does not have. */
const MAX_PAUSE_MS = 30_000;
/** Searches of a page that take a passage for another whose words have changed. */
const SIMILAR_SEARCHES = 3;

/** Shows the highlights of the page, and makes new ones, until the extension says to stop. */
function start(): void {
  const stopping = new AbortController();
  const { signal } = stopping;
  const marks = createMarks();
  const bar = createBar(() => void highlight(), signal);
  let highlights: PageHighlight[] = [];
  let ranges = new Map<string, { range: Range; text: string }>();
  let searching = new AbortController();
  let searches = 0;
  let isBusy = false;
  /** The selection that the last message is about. */
  let answered: Range | null = null;

  const stop = () => {
    stopping.abort();
    searching.abort();
    observer.disconnect();
    marks.show([]);
  };

  /** Finds the highlights again, and shows those that the page has. */
  const search = async () => {
    searching.abort();
    searching = new AbortController();
    const own = searching.signal;
    searches += 1;
    const found = await findRanges(highlights, { isSimilarEnough: searches <= SIMILAR_SEARCHES, signal: own });
    if (own.aborted) return;
    ranges = new Map([...found].map(([id, range]) => [id, { range, text: range.toString() }]));
    marks.show(
      highlights.flatMap(({ id, colour }) => {
        const range = found.get(id);
        return range === undefined ? [] : [{ range, colour }];
      }),
    );
  };

  const open = async (address: string) => {
    highlights = [];
    ranges = new Map();
    searches = 0;
    searching.abort();
    marks.show([]);
    const answer = await ask({ type: 'find', url: location.href });
    // The address may have changed since.
    if (signal.aborted || pageAddress(location.href) !== address) return;
    if (answer === null) return stop();
    highlights = answer.highlights;
    if (highlights.length > 0) await search();
  };

  const needsSearch = () =>
    highlights.some(({ id }) => {
      const shown = ranges.get(id);
      return shown === undefined || !shown.range.startContainer.isConnected || shown.range.toString() !== shown.text;
    });
  const observer = watchPage(async () => {
    if (highlights.length === 0 || !needsSearch()) return true;
    await search();
    return ranges.size === highlights.length;
  }, signal);

  const highlight = async () => {
    // The selection's own range changes with it.
    const range = selectedRange()?.cloneRange() ?? null;
    if (range === null || isBusy) return;
    answered = range;
    const quote = indexVisiblePage().quoteOf(range);
    const { quoteLength } = limits.highlights;
    if (quote === null) return bar.say(range, 'This part of the page cannot be highlighted.', { isResult: true });
    if (quote.quote.length > quoteLength)
      return bar.say(range, `Select at most ${quoteLength.toLocaleString('en')} characters.`, { isResult: true });
    isBusy = true;
    bar.say(range, 'Highlighting …');
    const url = location.href;
    const answer = await ask({ type: 'highlight', url, quote });
    isBusy = false;
    if (signal.aborted) return;
    if (answer === null) return stop();
    if (answer.problem !== null) return bar.say(range, answer.problem, { isResult: true });
    bar.say(range, 'Highlighted.', { isResult: true, onUndo: () => void undo(range, answer.highlights) });
    // Another page of the same document may be shown by now.
    if (pageAddress(url) !== pageAddress(location.href)) return;
    highlights = [...highlights, ...answer.highlights];
    getSelection()?.removeAllRanges();
    await search();
  };

  const undo = async (range: Range, made: readonly PageHighlight[]) => {
    for (const { id } of made) {
      const answer = await ask({ type: 'remove', id });
      if (answer?.problem != null) return bar.say(range, answer.problem, { isResult: true });
      highlights = highlights.filter((other) => other.id !== id);
    }
    bar.hide();
    await search();
  };

  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Escape' && event.isTrusted) return bar.hide();
      if (event.key !== 'h' || isTyping(event) || selectedRange() === null) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      void highlight();
    },
    { signal, capture: true },
  );
  watchSelection(() => {
    const range = selectedRange();
    if (isBusy || isSame(range, answered)) return;
    answered = null;
    if (range !== null) bar.offer(range);
    else bar.withdraw();
  }, signal);
  watchAddress((address) => {
    bar.hide();
    void open(address);
  }, signal);
  chrome.runtime.onMessage.addListener(({ type }: StopMessage) => {
    if (type === 'stop') stop();
  });
  void open(pageAddress(location.href));
}

/** The selected text of the page. Null if there is none, or if it is in a field. */
function selectedRange(): Range | null {
  const selection = getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const { commonAncestorContainer: common } = range;
  const element = common instanceof Element ? common : common.parentElement;
  return isField(element) || selection.toString().trim() === '' ? null : range;
}

function isSame(one: Range | null, other: Range | null): boolean {
  if (one === null || other === null) return false;
  const points = ({ startContainer, startOffset, endContainer, endOffset }: Range) =>
    [startContainer, startOffset, endContainer, endOffset] as const;
  return points(one).every((point, at) => point === points(other)[at]);
}

/** Reports that the selection has not changed for a moment. */
function watchSelection(onChange: () => void, signal: AbortSignal): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const later = () => {
    clearTimeout(timer);
    if (!signal.aborted) timer = setTimeout(onChange, DEBOUNCE_MS.selection);
  };
  document.addEventListener('selectionchange', later, { signal });
  // Something may have been selected while the page loaded.
  later();
}

/**
 * Calls back after changes of the page, the less often the longer it returns that they have not helped.
 */
function watchPage(onChange: () => Promise<boolean>, signal: AbortSignal): MutationObserver {
  let isWaiting = false;
  let pause = DEBOUNCE_MS.page;
  const observer = new MutationObserver(() => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(async () => {
      if (signal.aborted) return;
      // A page can replace its whole document while it is searched.
      const isDone = await onChange().catch(() => false);
      isWaiting = false;
      pause = isDone ? DEBOUNCE_MS.page : Math.min(2 * pause, MAX_PAUSE_MS);
    }, pause);
  });
  observer.observe(document, { childList: true, characterData: true, subtree: true });
  return observer;
}

/** A page that the browser loads in advance has not been visited. */
function whenShown(work: () => void): void {
  const { prerendering } = document as Document & { prerendering?: boolean };
  if (prerendering === true) document.addEventListener('prerenderingchange', work, { once: true });
  else work();
}

// Without a body, it is a frameset, or a drawing.
if (canMark() && document.body !== null) whenShown(start);
