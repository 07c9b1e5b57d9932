import type { ImportFile } from './importer.js';

/** A file of an export with its text. What looks like JSON is parsed when it is first asked for. */
export function importFile(name: string, text: string): ImportFile {
  let parsed: { value: unknown } | null = null;
  return {
    name,
    text,
    json() {
      parsed ??= { value: /^\uFEFF?\s*[[{]/.test(text) ? parse(text) : undefined };
      return parsed.value;
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
