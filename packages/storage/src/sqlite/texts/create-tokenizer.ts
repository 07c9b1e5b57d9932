import { stemOf } from '@recollect/contract/text';
import Sqlite from 'better-sqlite3';

/** The words of texts as FTS5 has them in the index: folded, and reduced to their stems. */
export interface Tokenizer {
  /** The tokens of each text, in their order. */
  tokensOf(texts: readonly string[]): (readonly string[])[];
  /** Frees the memory of runs that were asked for. */
  forget(): void;
}

/** FTS5 separates tokens at each of these characters. Between them it may do so too. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII but letters and digits is meant.
const SEPARATORS = /[\u0000-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007f]+/;
const DIGITS = /^[0-9]+$/;
/** Words whose stems are known without FTS5, which treats two y in a row otherwise than the algorithm. */
const PLAIN = /^[A-Za-z]{1,40}$/;
const DOUBLE_Y = /yy/i;
const MAX_KEPT = 100_000;

/**
 * Makes a tokenizer that gives the tokens of FTS5's: it asks FTS5 itself for everything but plain English words and
 * numbers, each run of characters once.
 *
 * @example
 * createTokenizer().tokensOf(['The bees’ dances']); // [['the', 'bee', 'danc']]
 */
export function createTokenizer(): Tokenizer {
  const known = new Map<string, readonly string[]>();
  let ask: ((runs: readonly string[]) => string[][]) | null = null;

  /** The tokens of a run that FTS5 need not be asked for. */
  const simple = (run: string): readonly string[] | null => {
    if (PLAIN.test(run) && !DOUBLE_Y.test(run)) return [stemOf(run.toLowerCase())];
    return DIGITS.test(run) ? [run] : null;
  };

  return {
    tokensOf(texts) {
      if (known.size > MAX_KEPT) known.clear();
      const split = texts.map((text) => text.split(SEPARATORS));
      const unknown = new Set<string>();
      for (const runs of split)
        for (const run of runs) {
          if (run === '' || known.has(run)) continue;
          const tokens = simple(run);
          if (tokens === null) unknown.add(run);
          else known.set(run, tokens);
        }
      if (unknown.size > 0) {
        ask ??= askFts5();
        const runs = [...unknown];
        for (const [at, tokens] of ask(runs).entries()) known.set(runs[at] ?? '', tokens);
      }
      return split.map((runs) => runs.flatMap((run) => known.get(run) ?? []));
    },
    forget: () => known.clear(),
  };
}

/** Opens a database in memory whose full-text table has the tokenizer of the stores. */
function askFts5(): (runs: readonly string[]) => string[][] {
  const database = new Sqlite(':memory:');
  database.exec(`
    create virtual table runs using fts5(run, content = '', tokenize = 'porter unicode61 remove_diacritics 2');
    create virtual table tokens using fts5vocab(runs, 'instance')`);
  const write = database.prepare<[string]>('insert into runs (rowid, run) select key, value from json_each(?)');
  const read = database
    .prepare<[], [run: number, token: string]>('select doc, term from tokens order by doc, offset')
    .raw();
  const clear = database.prepare("insert into runs (runs) values ('delete-all')");
  return (runs) => {
    write.run(JSON.stringify(runs));
    const tokens = runs.map((): string[] => []);
    for (const [run, token] of read.iterate()) tokens[run]?.push(token);
    clear.run();
    return tokens;
  };
}
