import type { HistoryAnswer } from '@recollect/contract';
import type { NumberedEntry } from '../ports/index.js';

/** An entry as a history lists it: without the former text, which is long, and which `readState` reads. */
export function historyEntryOf(entry: NumberedEntry): HistoryAnswer['history'][number] {
  const { number, changeId, kind, at, by, fields } = entry;
  const { title, tags, note, starred, readState, progress } = entry.before ?? {};
  const before = {
    ...(title === undefined ? {} : { title }),
    ...(tags === undefined ? {} : { tags: [...tags] }),
    ...(note === undefined ? {} : { note }),
    ...(starred === undefined ? {} : { starred }),
    ...(readState === undefined ? {} : { readState }),
    ...(progress === undefined ? {} : { progress }),
  };
  return { number, changeId, kind, at, by, fields: [...fields], before };
}
