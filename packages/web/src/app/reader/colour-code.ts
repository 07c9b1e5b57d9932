import { type CodeAnswer, type CodeRequest, type CodeToken, codeKinds } from './code-kinds.js';
import workerAddress from './read-code.worker.ts?worker&url';

/** Characters of all programs of a text that are coloured. */
const MAX_COLOURED_CHARACTERS = 200_000;
/** Milliseconds for all of them, once the grammars are there: one takes very long for a text that is made for it. */
const TIMEOUT_MS = 5_000;

/**
 * Colours the programs in a text whose language is known. A worker reads them, so that no program can block the page,
 * and ranges are coloured instead of elements, so that selections and highlights stay. Returns how to remove the
 * colours.
 */
export function colourCode(root: HTMLElement): () => void {
  const blocks = programsIn(root);
  if (blocks.length === 0 || !('highlights' in CSS)) return () => {};
  const colours = Object.fromEntries(codeKinds.map((kind) => [kind, new Highlight()]));
  for (const [kind, ranges] of Object.entries(colours)) CSS.highlights.set(`code-${kind}`, ranges);
  const worker = startWorker();
  let unread = blocks.length;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    clearTimeout(timer);
    worker.terminate();
  };
  worker.onmessage = ({ data }: MessageEvent<CodeAnswer | 'ready'>) => {
    if (data === 'ready') {
      timer = setTimeout(() => worker.terminate(), TIMEOUT_MS);
      return;
    }
    const { block, tokens } = data;
    const element = blocks[block]?.element;
    if (element?.isConnected) for (const { kind, range } of rangesOf(element, tokens)) colours[kind]?.add(range);
    unread -= 1;
    if (unread === 0) stop();
  };
  for (const [block, { element, language }] of blocks.entries())
    worker.postMessage({ block, language, code: element.textContent } satisfies CodeRequest);
  return () => {
    stop();
    for (const kind of codeKinds) CSS.highlights.delete(`code-${kind}`);
  };
}

interface Program {
  element: HTMLElement;
  language: string;
}

function programsIn(root: HTMLElement): Program[] {
  let length = 0;
  return Array.from(root.querySelectorAll<HTMLElement>('pre > code[class]'), (element) => ({
    element,
    language: element.className.replace(/^language-/, '').toLowerCase(),
  })).filter(({ element }) => {
    length += element.textContent.length;
    return length <= MAX_COLOURED_CHARACTERS;
  });
}

let policy: { createScriptURL: (address: string) => unknown } | undefined;

/** The policy of the page admits scripts only by name, and only the app's own. */
function startWorker(): Worker {
  const { trustedTypes } = window as {
    trustedTypes?: { createPolicy: (name: string, rules: object) => NonNullable<typeof policy> };
  };
  policy ??= trustedTypes?.createPolicy('recollect-worker', { createScriptURL: () => workerAddress });
  const address = policy?.createScriptURL(workerAddress) ?? workerAddress;
  return new Worker(address as string, { type: 'module' });
}

/** The ranges of tokens, which are in the order of the text. Marks may have split the text into several nodes. */
function* rangesOf(element: HTMLElement, tokens: readonly CodeToken[]) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let node = walker.nextNode() as Text | null;
  let before = 0;
  const reach = (position: number) => {
    while (node !== null && before + node.length < position) {
      before += node.length;
      node = walker.nextNode() as Text | null;
    }
    return node;
  };
  for (const { start, end, kind } of tokens) {
    const range = new Range();
    // The end of one node is also the start of the next one.
    const first = reach(start + 1);
    if (first === null) return;
    range.setStart(first, start - before);
    const last = reach(end);
    if (last === null) return;
    range.setEnd(last, end - before);
    yield { kind, range };
  }
}
