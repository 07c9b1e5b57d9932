import { limits } from '@recollect/contract/limits';
import { findUnstorable } from '@recollect/contract/unstorable';
import { isObject } from '../memories/readable-json.js';

/**
 * Reads YAML into plain values, with dates as texts, and numbers that would be written otherwise.
 * Throws for text that is not YAML.
 */
export type ReadYaml = (text: string) => Promise<unknown>;

/** A text file in its two parts. */
export interface SplitFile {
  /** The text without the front matter. */
  body: string;
  /** The YAML itself; empty without front matter. */
  yaml: string;
  /** Null without front matter. */
  fields: Record<string, unknown> | null;
}

/**
 * The longest front matter, in UTF-16 code units, which takes 0.1 seconds to read, and as JSON in bytes: metadata must have room for more.
 * Longer is text.
 */
const MOST = { characters: 16 * 1024, bytes: limits.capture.metadataBytes / 2 };
const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n(.*?)(?:(?<=\n)|\r?\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/s;

/** Characters of front matter that are read for a request. */
const MOST_PER_REQUEST = 64 * 1024;

/** A reader with a limit per request. Reading 64 KiB can take half a second, and a request may have a hundred files. */
export function limitYaml(readYaml: ReadYaml): ReadYaml {
  let left = MOST_PER_REQUEST;
  return async (text) => {
    left -= text.length;
    if (left < 0) throw new RangeError('The front matter of these files is too long.');
    return readYaml(text);
  };
}

/**
 * Takes the front matter off a file.
 * Other text between two rules stays text, and so do values that metadata cannot keep.
 */
export async function splitFrontMatter(text: string, readYaml: ReadYaml): Promise<SplitFile> {
  const plain = { body: text, yaml: '', fields: null };
  const [whole, yaml] = FRONT_MATTER.exec(text.slice(0, MOST.characters)) ?? [];
  if (whole === undefined || yaml === undefined) return plain;
  const body = text.slice(whole.length);
  if (yaml.trim() === '') return { body, yaml: '', fields: null };
  const fields = await readYaml(yaml).catch(() => null);
  if (!isObject(fields) || findUnstorable(fields, 2) !== null) return plain;
  const bytes = new TextEncoder().encode(JSON.stringify(fields)).length;
  return bytes > MOST.bytes ? plain : { body, yaml, fields };
}
