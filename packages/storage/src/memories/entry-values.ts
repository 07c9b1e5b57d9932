import { type HistoryEntry, isObject, isTexts, readJson } from '@recollect/core';

/**
 * The JSON values of a history row. A value that the disk has damaged is left out:
 * it must not keep the history, or an export, from being read.
 */
export function entryValues(row: {
  actor: string | null;
  fields: string;
  former: string | null;
}): Pick<HistoryEntry, 'by' | 'fields' | 'before'> {
  return {
    by: readOrNull(row.actor) as HistoryEntry['by'],
    fields: fieldsOf(row.fields),
    before: readOrNull(row.former) as HistoryEntry['before'],
  };
}

/** The fields that a change replaced; none if they cannot be read. */
export function fieldsOf(fields: string): HistoryEntry['fields'] {
  return readJson(fields, isTexts, []) as HistoryEntry['fields'];
}

function readOrNull(json: string | null): Record<string, unknown> | null {
  return json === null ? null : readJson(json, isObject, null);
}
