import type { ImportFile } from './importer.js';
import { linesOf } from './values.js';

/** A file of an export with its text. What looks like JSON is parsed when it is first asked for. */
export function importFile(name: string, text: string): ImportFile {
  let parsed: { value: unknown } | null = null;
  const looksLikeJson = /^\uFEFF?\s*[[{]/.test(text);
  const json = () => {
    parsed ??= { value: looksLikeJson ? parse(text) : undefined };
    return parsed.value;
  };
  return {
    name,
    text,
    json,
    // Lines of JSON are no JSON as a whole.
    isDamaged: () =>
      looksLikeJson && /\.json(?:\.gz)?$/i.test(name) && json() === undefined && linesOf(text, 1).length === 0,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
