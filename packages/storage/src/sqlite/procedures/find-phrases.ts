import {
  createForms,
  createPhraseFinder,
  endingsOf,
  isTexts,
  MAX_COMPARED_PAIRS,
  MAX_OCCURRENCES,
  type Phrase,
  reachOf,
  readJson,
  repeatsWords,
  toPhrase,
} from '@recollect/core/threads';
import type { WorkLimit } from '../work-limit.js';
import type { All } from './all.js';
import type { Condition } from './condition.js';

import { type MatchAny, quote } from './match.js';

/** Gives the condition that a memory has any of some phrases. */
export type HasPhrase = (matchAny: MatchAny, userId: string, phrases: readonly Phrase[]) => Condition;

/** Makes a search for phrases, in time that is in proportion to the texts and the phrases. */
export function createPhraseSearch(all: All, limit: Pick<WorkLimit, 'check'>): HasPhrase {
  return (matchAny, userId, phrases) => {
    const formOf = createForms();
    const wordsOf = (text: string) => toPhrase(text).map(formOf);

    /**
     * The memories in which a phrase begins at the end of one chunk and ends at the beginning of the next. The index
     * has a row for each chunk, so it finds no phrase there: in a text without sentences, three words in a row are cut
     * apart in one place of fifty.
     */
    const findAcross = (phrase: Phrase): string[] => {
      const [first] = phrase;
      if (first === undefined || phrase.length < 2) return [];
      const endings = endingsOf(phrase).map((ending) => `body : ^ ${quote(ending)}`);
      const reach = reachOf(phrase);
      // The plus keeps SQLite from looking up each of the rows with the first word, for every one that begins with the
      // others.
      const pairs = all(
        `select b.memory_id as id, substr(a.text, -?) as before, substr(b.text, 1, ?) as after
        from (select rowid as id from chunk_text where chunk_text match ?) r
        cross join chunks b on b.id = r.id
        cross join chunks a on a.user_id = b.user_id and a.memory_id = b.memory_id and a.position = b.position - 1
        where in_time() and b.user_id = ? and +a.id in (select rowid from chunk_text where chunk_text match ?) limit ?`,
        [reach, reach, matchAny(endings), userId, matchAny([quote([first])]), MAX_COMPARED_PAIRS],
      ) as { id: string; before: string; after: string }[];
      const isIn = createPhraseFinder(phrase.map(formOf));
      const memoryIds = new Set<string>();
      const compared = new Set<string>();
      for (const { id, before, after } of pairs) {
        limit.check();
        const text = before + after;
        // A text that repeats itself is cut apart in the same places again and again.
        if (memoryIds.has(id) || compared.has(text)) continue;
        if (isIn(wordsOf(text))) memoryIds.add(id);
        else compared.add(text);
      }
      return [...memoryIds];
    };

    const having = (some: readonly Phrase[], ids: readonly string[]): Condition => ({
      sql: `select c.memory_id as id from (select rowid as id from chunk_text where chunk_text match ?) r
        cross join chunks c on c.id = r.id where in_time() and c.user_id = ? union select value from json_each(?)`,
      parameters: [matchAny(some.map(quote)), userId, JSON.stringify([...ids, ...some.flatMap(findAcross)])],
    });

    /** The memories that have a phrase whose words repeat. Those that have its beginning are read. */
    const findRepeating = (phrase: Phrase): string[] => {
      const isIn = createPhraseFinder(phrase.map(formOf));
      const { sql, parameters } = having([phrase.slice(0, MAX_OCCURRENCES)], []);
      const candidates = all(`select id, title, tags, note from memories where user_id = ? and id in (${sql})`, [
        userId,
        ...parameters,
      ]) as { id: string; title: string; tags: string; note: string | null }[];
      const matches = candidates.filter(({ id, title, tags, note }) => {
        const notes = [...readJson(tags, isTexts, []), note ?? ''].join('\n');
        return isIn(wordsOf(title)) || isIn(wordsOf(notes)) || isIn(wordsIn(id));
      });
      return matches.map(({ id }) => id);
    };

    function* wordsIn(memoryId: string): Generator<string> {
      const chunks = all('select text from chunks where user_id = ? and memory_id = ? order by position', [
        userId,
        memoryId,
      ]) as { text: string }[];
      for (const { text } of chunks) {
        limit.check();
        yield* wordsOf(text);
      }
    }

    const repeats = (phrase: Phrase) => repeatsWords(phrase, formOf);
    const repeating = phrases.filter(repeats).flatMap(findRepeating);
    const others = phrases.filter((phrase) => !repeats(phrase));
    const { sql, parameters } =
      others.length > 0
        ? having(others, repeating)
        : { sql: 'select value from json_each(?)', parameters: [JSON.stringify(repeating)] };
    return { sql: `id in (${sql})`, parameters };
  };
}
