import type { MemoryDetail } from '@recollect/contract';
import { addressesIn, displayed, noteTargets, repeatsTitle } from '@recollect/contract/text';
import { client } from '../api/client.js';
import { isWrapped } from '../markdown/is-wrapped.js';
import { createRenderBudget, type LinkedNotes, renderMarkdown } from '../markdown/render-markdown.js';

/** Milliseconds of rendering before the browser may paint and handle input. */
const SLICE_MS = 12;
/** Characters that the browser lays out in one go. */
const SLICE_LENGTH = 60_000;

/** Renders the text of a memory in slices of time, so that a text of megabytes does not block the page. */
export async function renderArticle(
  root: HTMLElement,
  { id, title, text, url, turns, sourceType, metadata }: MemoryDetail,
  showsImages: boolean,
  signal: AbortSignal,
): Promise<void> {
  root.replaceChildren();
  const notes = await notesIn(id, text, url);
  if (signal.aborted) return;
  let since = performance.now();
  let length = 0;
  const isFile = /\.(?:md|markdown)$/i.test(`${metadata.fileName ?? ''}`);
  // Authors of Markdown wrap their lines anywhere. In a note or a message, a line break has a meaning.
  const keepsLines = !isFile && !(url !== null && turns === null && isWrapped(text));
  const budget = createRenderBudget();
  const parts = turns === null ? [{ role: null, text }] : turns;
  for (const part of parts) {
    const target = part.role === null ? root : turnElement(root, speakerOf(part.role, sourceType));
    for (const fragment of renderMarkdown(part.text, { showsImages, keepsLines, budget, notes })) {
      length += fragment.textContent?.length ?? 0;
      const isFirst = root.firstElementChild === null;
      target.append(fragment);
      if (isFirst) hideTitle(root, title);
      if (performance.now() - since < SLICE_MS && length < SLICE_LENGTH) continue;
      await new Promise((resolve) => setTimeout(resolve));
      if (signal.aborted) return;
      since = performance.now();
      length = 0;
    }
  }
}

/** The memories that a text links to. Without an answer, its links are shown as plain text. */
async function notesIn(id: string, text: string, url: string | null): Promise<LinkedNotes> {
  // Addresses in web pages are links to the web.
  if (noteTargets(text).length === 0 && (url !== null || addressesIn(text).length === 0)) return new Map();
  const answer = await client('memoryLinks', { parameters: { id } }).catch(() => null);
  return new Map((answer?.links ?? []).map((link) => [link.target, link.id]));
}

/**
 * Hides a first heading or line that is the title, which stands above it already, even if the text has nothing else.
 * Shows one that is no longer the title. It stays in the text, because it may be highlighted.
 */
export function hideTitle(root: HTMLElement, title: string): void {
  const first = root.firstElementChild;
  if (!(first instanceof HTMLElement)) return;
  const isHeading = first instanceof HTMLHeadingElement && repeatsTitle(first.textContent, title);
  const isSame = first.textContent.replace(/\s+/g, ' ').trim() === title;
  const isLine = first.tagName === 'P' || first.nextElementSibling === null;
  first.hidden = isHeading || (isSame && isLine && first.querySelector('img, input') === null);
}

/** The assistants that a conversation can be with, by its source. */
const ASSISTANTS: Readonly<Record<string, string>> = { chatgpt: 'ChatGPT', claude: 'Claude', openclaw: 'OpenClaw' };

/** The speaker of a turn, such as `You` or `Claude`. */
function speakerOf(role: string, sourceType: string): string {
  if (USER_ROLE.test(role)) return 'You';
  return /^(?:assistant|model|ai)$/i.test(role) ? (ASSISTANTS[sourceType] ?? 'Assistant') : role;
}

const USER_ROLE = /^(?:user|human|you)$/i;

function turnElement(root: HTMLElement, role: string): HTMLElement {
  const turn = document.createElement('section');
  turn.className = USER_ROLE.test(role) ? 'turn own' : 'turn';
  if (role !== '') {
    const heading = document.createElement('h2');
    heading.className = 'turn-role';
    heading.textContent = displayed(role);
    turn.append(heading);
  }
  root.append(turn);
  return turn;
}
