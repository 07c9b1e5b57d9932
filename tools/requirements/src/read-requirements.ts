/** An id such as CAP-1. */
const ID = /\b(?:CAP|QRY|MEM|IDX|KEY|SEC|SYS|CLI|EXT|PLG|MCP|REL|PERF)-\d+\b/g;

export interface Requirement {
  id: string;
  /** Whether a later change is to bring it. */
  isPlanned: boolean;
}

/**
 * The requirements of docs/interface.md: an id at the head of a list item is one, planned when `(planned)` follows it;
 * under the heading "Planned" every id is. Throws when there are none, or one twice.
 */
export function readRequirements(markdown: string): Requirement[] {
  const [now = '', later = ''] = markdown.split(/^## Planned$/m);
  const present = [...now.matchAll(/^- ([A-Z]+-\d+)( \(planned\))?/gm)].map(([, id = '', planned]) => ({
    id,
    isPlanned: planned !== undefined,
  }));
  const planned = (later.match(ID) ?? []).map((id) => ({ id, isPlanned: true }));
  const all = [...present, ...planned];
  if (present.length === 0) throw new Error('No requirement was read.');
  const twice = all.find(({ id }, at) => all.findIndex((other) => other.id === id) !== at);
  if (twice !== undefined) throw new Error(`${twice.id} stands in the list twice.`);
  return all;
}

/** The ids that a title names. */
export function idsIn(title: string): string[] {
  return title.match(ID) ?? [];
}
