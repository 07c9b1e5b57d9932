import { wholeBoundary } from '@recollect/contract/text';

/** Bytes of the title in a name. With the id, a name has at most 143 bytes, which encrypted file systems allow too. */
const TITLE_BYTES = 100;
/** Not allowed in names on Windows, or with a meaning in links of Obsidian. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: file systems do not allow them.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f<>:"/\\|?*#^[\]\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
/** Windows reserves these names, also with an extension. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:\.|$)/i;

/** Programs take such a name for options, as in `rm *`; shells expand a `~`. */
const AN_OPTION = /^[-~+]/;

/**
 * The name of a memory's file: its title, and the random end of its id, so that names differ without regard to case.
 * The same title and id always make the same name, which every operating system accepts.
 *
 * @example
 * noteFileName({ id: '019f0c1e-7d3a-7000-8a51-3c1b2f4d5e6f', title: 'What is tea?' }); // 'What is tea 3c1b2f4d5e6f.md'
 */
export function noteFileName({ id, title }: { id: string; title: string }, ending = id.slice(-12)): string {
  const clean = title
    .toWellFormed()
    .normalize('NFC')
    .replace(UNSAFE, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.]+/, '');
  const short = cut(clean).replace(/(?<![\s.])[\s.]+$/, '');
  const name = short === '' ? 'Untitled' : RESERVED.test(short) || AN_OPTION.test(short) ? `_${short}` : short;
  return `${name} ${ending}.md`;
}

function cut(text: string): string {
  let end = Math.min(text.length, TITLE_BYTES);
  while (Buffer.byteLength(text.slice(0, end)) > TITLE_BYTES) end -= 1;
  return text.slice(0, wholeBoundary(text, end));
}
