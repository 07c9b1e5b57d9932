import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';

/** A page as its server sent it, and what is known of its text. */
export interface KnownPage {
  url: string;
  html: string;
  /** Its whole text, if it is known. */
  text?: string;
  /** What kind of page it is, such as `forum`. */
  kind?: string;
  /** Phrases that must be in its text, and phrases that must not. */
  with: readonly string[];
  without: readonly string[];
}

/** Reads a file of pages, one JSON object a line, perhaps compressed with gzip. */
export async function readPages(path: string): Promise<KnownPage[]> {
  const bytes = await readFile(path);
  const lines = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString().split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => ({ with: [], without: [], ...JSON.parse(line) }));
}
