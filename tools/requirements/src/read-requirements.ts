/** An id such as CAP-1. */
const ID = /\b(?:BAK|CAP|QRY|MEM|HLT|EXP|IMP|IDX|IMG|KEY|SEC|SYS|CLI|EXT|PLG|PPL|SHR|MCP|REL|PERF)-\d+\b/g;

export interface Requirement {
  id: string;
  /** Whether the document marks it as planned, so that no test may cite it. */
  isPlanned: boolean;
}

/**
 * Reads the requirements of docs/interface.md: every id at the start of a list item, planned if `(planned)` follows,
 * and every id under the heading "Planned". Throws if there are none, or if one occurs twice.
 */
export function readRequirements(markdown: string): Requirement[] {
  const [now = '', later = ''] = markdown.split(/^## Planned$/m);
  const present = [...now.matchAll(/^- ([A-Z]+-\d+)( \(planned\))?/gm)].map(([, id = '', planned]) => ({
    id,
    isPlanned: planned !== undefined,
  }));
  const planned = (later.match(ID) ?? []).map((id) => ({ id, isPlanned: true }));
  const all = [...present, ...planned];
  if (present.length === 0) throw new Error('No requirements were found.');
  const twice = all.find(({ id }, at) => all.findIndex((other) => other.id === id) !== at);
  if (twice !== undefined) throw new Error(`${twice.id} is in the list twice.`);
  return all;
}

/** The ids that a title names. */
export function idsIn(title: string): string[] {
  return title.match(ID) ?? [];
}
