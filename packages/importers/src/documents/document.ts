/**
 * A date of a file as ISO 8601 in UTC; null if it is none, in the future, or from before files had dates, which ZIP
 * writes as 1980.
 */
export function pastDate(date: string | Date | null | undefined): string | null {
  const time = date instanceof Date ? date.getTime() : Date.parse(date ?? '');
  return Number.isNaN(time) || time > Date.now() || time < EARLIEST_TIME ? null : new Date(time).toISOString();
}

const EARLIEST_TIME = Date.UTC(1980, 0, 3);

/** Titles that programs set automatically. */
const BY_PROGRAM = /^(?:microsoft word - .*|untitled.*|document\d*|.*\.(?:docx?|odt|rtf|dotx?))$/i;

/**
 * The title of a document: the one in its properties, unless a program has made it up, or else the heading that it
 * begins with. Null if it has neither.
 *
 * @example
 * documentTitle('Microsoft Word - log.doc', '# Boat yard\n\nThe hull …'); // 'Boat yard'
 */
export function documentTitle(property: string, markdown: string): string | null {
  if (property !== '' && !BY_PROGRAM.test(property)) return property;
  return (
    /^#[ \t]+(\S.*)/
      .exec(markdown)?.[1]
      ?.replaceAll(/[*_`\\]/g, '')
      .trim() || null
  );
}
/** A document that cannot be read. The message is a sentence for the user. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
}
