import type { Place } from '@recollect/contract/vocabulary';
import { pagePath } from '../api/base-path.js';
import { moveMemories } from '../state/changes.js';
import { items } from '../state/library.js';
import { listedQuery } from '../state/load-list.js';
import { leavesList } from '../state/places.js';
import { isListPage } from '../state/query.js';
import { clearSelection, cursorIndex, keepPlace, selection } from '../state/selection.js';
import { succeeds } from '../state/status.js';
import { selected } from './selected-memories.js';

/** Moves the open memory, or the selected memories of the list, or else the one at the cursor. */
export async function moveCurrent(to: Place): Promise<void> {
  const [, open] = /^\/memory\/([^/]+)$/.exec(pagePath(location.pathname)) ?? [];
  if (open !== undefined) await succeeds(moveMemories([open], to));
  else if (isListPage()) await moveListed(to);
}

async function moveListed(to: Place): Promise<void> {
  const place = cursorIndex();
  const current = items.peek()?.[place]?.id;
  if (selection.peek().size === 0 && current === undefined) return;
  const moved = selection.peek().size > 0 ? selection.peek() : new Set([current]);
  const target = selection.peek().size > 0 ? selected() : [current ?? ''];
  const isLeaving = leavesList(listedQuery.peek() ?? '', to);
  // Rows that leave before the cursor move it up.
  const before = (items.peek() ?? []).slice(0, Math.max(0, place)).filter(({ id }) => !moved.has(id)).length;
  if (selection.peek().size > 0) clearSelection();
  const moving = succeeds(moveMemories(target, to));
  if (isLeaving) keepPlace(place < 0 ? -1 : before);
  await moving;
}
