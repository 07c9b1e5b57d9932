import { foldWord } from './word-forms.js';

/** A link of a vault to another note: its target, and the words that stand for it. */
export interface NoteLink {
  /** The name of the note, perhaps with folders. */
  target: string;
  label: string;
}

/**
 * `[[Tea]]`, `[[drinks/Tea#Steeping|how to steep]]` or `![[Tea]]`, as Obsidian and Logseq write them. A space at the
 * beginning, as in a shell's `[[ -f x ]]`, is not a link.
 */
const NOTE_LINK = /!?\[\[(?! )([^[\]|#^\n]{1,200})([#^][^[\]|\n]{0,200})?(?:\|([^[\]\n]{0,200}))?\]\]/;
const ALL_LINKS = new RegExp(NOTE_LINK, 'g');
const LINK_AT_START = new RegExp(`^(?:${NOTE_LINK.source})`);
/** Characters of a name by which it is found. */
const MAX_NAME_CHARACTERS = 100;

/**
 * The link that a text begins with, and its length; null if there is none.
 *
 * @example
 * noteLinkAt('[[Tea|green]] is …'); // { target: 'Tea', label: 'green', length: 13 }
 */
export function noteLinkAt(text: string): (NoteLink & { length: number }) | null {
  const match = LINK_AT_START.exec(text);
  return match === null ? null : { ...linkOf(match), length: match[0].length };
}

/**
 * The targets of the links in a text, each once.
 *
 * @example
 * noteTargets('See [[Tea]] and [[drinks/Mate|mate]].'); // ['Tea', 'drinks/Mate']
 */
export function noteTargets(text: string): string[] {
  if (!text.includes('[[')) return [];
  return [...new Set([...text.matchAll(ALL_LINKS)].map((found) => linkOf(found).target))];
}

function linkOf([, target = '', place = '', label = '']: RegExpMatchArray): NoteLink {
  const name = target.trim();
  return { target: name, label: label.trim() || `${name}${place.replace(/^[#^]+/, ' › ')}` };
}

/**
 * The key by which a note is found: the last part of a path, without the extension of Markdown, case and accents. Empty
 * for one that ends in a slash.
 *
 * @example
 * noteKey('drinks/Maté.md'); // 'mate'
 */
export function noteKey(path: string): string {
  const name = path
    .slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
    .replace(/\.(?:md|markdown)$/i, '');
  return foldWord([...name.trim()].slice(0, MAX_NAME_CHARACTERS).join('').toWellFormed());
}
