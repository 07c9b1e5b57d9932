const NAMES: Readonly<Record<string, string>> = { starred: 'star', readState: 'read state' };

/**
 * Names the fields that a change replaced, for the history. A read state includes its progress.
 *
 * @example
 * describeFields(['title', 'readState', 'progress']); // 'title, read state'
 */
export function describeFields(fields: readonly string[]): string {
  return fields
    .filter((field) => field !== 'progress' || !fields.includes('readState'))
    .map((field) => NAMES[field] ?? field)
    .join(', ');
}
