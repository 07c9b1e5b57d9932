import { procliticForms, stemOf } from '@recollect/contract/text';

/** An unfinished word counts as finished when at least this many rows contain it as typed. */
export const MIN_TYPED_ROWS = 10;

/** The most words of the texts that an unfinished word may become. */
export const MAX_COMPLETIONS = 50;

/**
 * Endings that a partly typed word may grow into. The index contains stems: "runnin" matches none, but "running" does.
 */
const ENDINGS = ['ing', 'ed', 'er', 'es', 'ies', 'ly', 'ness', 'ment', 'ation', 'ations', 'ional'];

/**
 * What an unfinished word may become: any word with one of these beginnings, one of these words, or the words of the
 * texts that begin with it.
 */
export type Completion = { beginnings: readonly string[] } | { words: readonly string[] } | 'words of the texts';

/**
 * Returns the completions of an unfinished word. The first one that a row has is enough. An index with stems also stems
 * an unfinished word: for "bees" it would find "been" and "beep". So a word that differs from its stem is completed
 * from the words of the texts.
 */
export function completionsOf(prefix: string): Completion[] {
  const [marked] = procliticForms(prefix);
  if (marked !== undefined) return [{ beginnings: [prefix, marked] }];
  if (stemOf(prefix) !== prefix) return ['words of the texts'];
  return [{ beginnings: [prefix] }, { words: withEndings(prefix) }];
}

/** The words that a prefix may become with a common ending, part of which may be typed already. */
function withEndings(prefix: string): string[] {
  return ENDINGS.flatMap((ending) =>
    Array.from({ length: ending.length }, (_, typed) => typed)
      .filter((typed) => prefix.endsWith(ending.slice(0, typed)))
      .map((typed) => prefix + ending.slice(typed)),
  );
}
