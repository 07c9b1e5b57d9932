import { clippingDate } from './clipping-date.js';
import { defineImporter, type Item } from './importer.js';
import { quoteItem } from './to-capture.js';

/** The author in parentheses after a title, which may also contain parentheses. */
const AUTHOR = / \(([^()]+(?:\([^()]*\)[^()]*)?)\)$/;
/** The text in place of a passage after the copy limit of a book, in the language of the device. */
const LIMIT = /^\s*<[^<>\n]+>\s*$/;
const END_OF_CLIPPING = /^={10}\r?$/m;
/** The word for a note, in the languages of the device. */
const NOTE =
  /(?<!\p{L})(?:note|notiz|nota|notitie|aantekening|anteckning|notat|notatka|poznámka|muistiinpano|jegyzet(?:ed)?|notiță|notunuz|заметка|примечание|нотатка|бележка|σημείωση|ملاحظة|ملاحظتك|הערה|catatan)(?!\p{L})|メモ|笔记|筆記|備註|노트|메모|नोट|নোট|குறிப்பு/iu;

/**
 * `My Clippings.txt` of Kindle: a block for each highlight and note, in the language of the device. A note has a
 * separate block, and belongs to the highlight at its place.
 */
export const kindle = defineImporter({
  program: 'Kindle',
  detects({ text }) {
    const [, place = ''] = text.slice(0, 4_096).split('\n');
    return /^\s*[-–—] .*\|/.test(place) && /\d/.test(place) && END_OF_CLIPPING.test(text);
  },
  *read({ text }) {
    const blocks = text.split(/^={10}\r?\n?/m).filter((block) => block.trim() !== '');
    const clippings = blocks.map(readClipping);
    const notes = notesByHighlight(clippings);
    const attached = new Set([...notes.values()].flat());
    for (const [at, clipping] of clippings.entries())
      if (!attached.has(clipping))
        yield {
          name: clipping.title,
          read: () => toItem(clipping, notes.get(clipping) ?? [], clippings.slice(at + 1, at + 1 + NEARBY_CLIPPINGS)),
        };
  },
});

function toItem(clipping: Clipping, notes: readonly Clipping[], later: readonly Clipping[]): Item {
  const { title, author, place, quote, isNote } = clipping;
  if (quote === '') return { skipped: title, reason: 'The clipping has no text.', isExpected: true };
  if (LIMIT.test(quote)) return { skipped: title, reason: `Kindle has left its text out: ${quote}` };
  if (!isNote && isRepeated(later, clipping))
    return { skipped: title, reason: 'A later clipping contains it.', isExpected: true };
  return quoteItem({
    quote,
    title,
    author,
    place,
    sourceApp: 'kindle',
    at: clippingDate(place),
    note: notes.length === 0 ? undefined : notes.map((note) => note.quote).join('\n\n'),
    isOwn: isNote,
  });
}

/**
 * Clippings before and after one among which others at its place are looked for. A highlight that is extended is
 * written again.
 */
const NEARBY_CLIPPINGS = 20;

interface Clipping {
  title: string;
  author: string;
  place: string;
  quote: string;
  /** Whether the reader wrote it. */
  isNote: boolean;
}

/** A line with the title, one with the place and time, an empty one, and the text. */
function readClipping(block: string): Clipping {
  const [head = '', line = '', , ...text] = block.replace(/^\uFEFF/, '').split(/\r?\n/);
  const name = head.trim().slice(0, MAX_TITLE_CHARACTERS);
  const [behind, author = ''] = AUTHOR.exec(name) ?? [];
  const title = behind === undefined ? name : name.slice(0, -behind.length);
  const place = line.replace(/^\s*[-–—] */, '').trim();
  return { title, author, place, quote: text.join('\n').trim(), isNote: NOTE.test(withoutTime(place)) };
}

/** Characters of a title that are read. */
const MAX_TITLE_CHARACTERS = 1_000;

/**
 * The highlights that have notes, with these: the nearest that reaches over the place of a note. The last version of
 * each counts.
 */
function notesByHighlight(clippings: readonly Clipping[]): Map<Clipping, Clipping[]> {
  const notes = new Map<Clipping, Clipping[]>();
  for (const [at, note] of clippings.entries()) {
    if (!note.isNote || note.quote === '') continue;
    const [where] = rangeOf(note);
    const near = clippings
      .slice(Math.max(0, at - NEARBY_CLIPPINGS), at + NEARBY_CLIPPINGS)
      .filter((one) => !one.isNote && one.title === note.title && one.quote !== '' && reaches(one, where));
    const highlight = near.findLast((one) => !isRepeated(near.slice(near.indexOf(one) + 1), one));
    if (highlight !== undefined) notes.set(highlight, [...(notes.get(highlight) ?? []), note]);
  }
  return notes;
}

function reaches(clipping: Clipping, where: number): boolean {
  const [first, last] = rangeOf(clipping);
  return first <= where && where <= last;
}

/**
 * The last range of numbers before the time: locations, or where a book has none pages. The end may leave out the
 * digits that it shares with the beginning.
 */
function rangeOf({ place }: Clipping): [number, number] {
  const [, first = '', last = ''] =
    [...withoutTime(place).matchAll(/(\d+)(?:\s?(?:[-–—~～]|t\/m)\s?(\d+))?/g)].at(-1) ?? [];
  const end = last.length < first.length ? first.slice(0, first.length - last.length) + last : last;
  return [Number(first), Number(end)];
}

/** The page and the location: the time follows the last line. */
function withoutTime(place: string): string {
  return place.slice(0, place.lastIndexOf('|'));
}

/** Whether a later highlight that begins at the same place contains one. */
function isRepeated(later: readonly Clipping[], highlight: Clipping): boolean {
  const [where] = rangeOf(highlight);
  return later.some(
    (other) =>
      !other.isNote &&
      other.title === highlight.title &&
      rangeOf(other)[0] === where &&
      other.quote.includes(highlight.quote),
  );
}
