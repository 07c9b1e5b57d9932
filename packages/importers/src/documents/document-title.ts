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
