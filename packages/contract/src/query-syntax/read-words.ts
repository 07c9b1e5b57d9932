export interface QueryWords {
  /** The words and phrases to search for, without quotation marks. */
  text: string;
  /** Phrases that a result must contain. */
  phrases: string[];
  /** Words and phrases that no result may contain. */
  excluded: string[];
  /** Whether there was nothing but exclusions, which are now text. */
  isOnlyExcluded: boolean;
  /** Whether its phrases and exclusions occur in a long text, and were taken as text. */
  isProse: boolean;
}

/** With more words beside its phrases, a query is a pasted text, and its quotation marks are not syntax. */
const MAX_SYNTAX_WORDS = 20;

/**
 * A phrase in quotation marks, or a word after a minus. Both begin after white space.
 * Anything else is an ordinary word.
 */
const PART = /(?<!\S)(-?)"([^"]*)"(?!\S)|(?<!\S)-(?=\p{L})(\S+)/gu;

/**
 * Reads the words of a query: `"quoted phrases"` and `-excluded` words. Quotation marks that are not closed, or within
 * words, and a minus without a word, are text. So is the whole query if it has only exclusions, which leave nothing to
 * search for, or if it is long.
 *
 * @example
 * readWords('bees "waggle dance" -honey');
 * // { text: 'bees waggle dance', phrases: ['waggle dance'], excluded: ['honey'], … }
 */
export function readWords(words: string): QueryWords {
  const phrases: string[] = [];
  const excluded: string[] = [];
  const text = words
    .replace(PART, (part, minus: string | undefined, phrase: string | undefined, word: string | undefined) => {
      const content = (phrase ?? word ?? '').trim();
      if (!/[\p{L}\p{N}]/u.test(content)) return part;
      if (phrase !== undefined && minus === '') {
        phrases.push(content);
        return content;
      }
      excluded.push(content);
      return '';
    })
    .replace(/\s+/g, ' ')
    .trim();
  const isSyntax = phrases.length + excluded.length > 0;
  const isProse =
    isSyntax && (text.match(/\S+/g)?.length ?? 0) - (phrases.join(' ').match(/\S+/g)?.length ?? 0) > MAX_SYNTAX_WORDS;
  const isOnlyExcluded = excluded.length > 0 && !/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text);
  if (isOnlyExcluded || isProse) return { text: words, phrases: [], excluded: [], isOnlyExcluded, isProse };
  return { text, phrases, excluded, isOnlyExcluded, isProse };
}
