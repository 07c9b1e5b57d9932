import { foldWord, stemOf } from '@recollect/contract/text';
import { toPhrase } from '@recollect/core/threads';
import type { All } from './all.js';
import { type MatchAny, quote } from './match.js';

/** Pairs of chunks that are compared at most: a word such as "the" begins very many. */
const COMPARED = 20_000;
/** Characters of marks and white space that may stand beside each word of a phrase. */
const BESIDE_WORD = 20;

/**
 * The memories in which a phrase begins at the end of one chunk and ends at the beginning of the next. The index has a row for each
 * chunk, so it finds no phrase there: in a text without sentences, three words in a row are cut apart in one place of fifty.
 */
export function phrasesAcross(all: All, matchAny: MatchAny, userId: string, phrase: readonly string[]): string[] {
  const [first] = phrase;
  if (first === undefined || phrase.length < 2) return [];
  const endings = phrase.slice(1).map((_, at) => `body : ^ ${quote(phrase.slice(at + 1))}`);
  const reach = phrase.reduce((sum, word) => sum + word.length + BESIDE_WORD, 0);
  // The plus keeps SQLite from looking up each of the rows with the first word, for every one that begins with the others.
  const pairs = all(
    `select b.memory_id as id, substr(a.text, -?) as before, substr(b.text, 1, ?) as after
    from (select rowid as id from chunk_text where chunk_text match ?) r
    cross join chunks b on b.id = r.id
    cross join chunks a on a.user_id = b.user_id and a.memory_id = b.memory_id and a.position = b.position - 1
    where b.user_id = ? and +a.id in (select rowid from chunk_text where chunk_text match ?) limit ?`,
    [reach, reach, matchAny(endings), userId, matchAny([quote([first])]), COMPARED],
  ) as { id: string; before: string; after: string }[];
  const wanted = formOf(phrase);
  const found = pairs.filter(({ before, after }) => formOf(toPhrase(before + after)).includes(wanted));
  return [...new Set(found.map(({ id }) => id))];
}

/** Words as the index compares them, each between spaces. */
function formOf(words: readonly string[]): string {
  return ` ${words.map((word) => stemOf(foldWord(word))).join(' ')} `;
}
