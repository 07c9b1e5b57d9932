import type { Entry } from './ledger.js';
import type { Answer } from './send.js';

/** The contradiction between an answer to `GET /api/v1/memories/{id}` and the acknowledged state, if there is one. */
export function differenceOf({ id, kind, contents, states, tags }: Entry, { status, body }: Answer): string | null {
  if (status === 404) return states.includes('trash') ? null : `${id}: a ${kind} is missing`;
  if (status !== 200) return `${id}: the answer was ${status}`;
  if (!states.includes('live')) return `${id}: a deleted ${kind} is back`;
  const content = kind === 'conversation' ? JSON.stringify(body.turns) : body.text;
  if (contents.length > 0 && !contents.includes(content)) return `${id}: the content of a ${kind} differs`;
  const lost = [...tags].find((tag) => !body.tags.includes(tag));
  return lost === undefined ? null : `${id}: the tag ${lost} is missing`;
}
