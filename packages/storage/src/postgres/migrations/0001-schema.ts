import { type Kysely, sql } from 'kysely';
import { policies } from './policies.js';
import { indexes, tables } from './tables.js';
import { type Trigger, triggers } from './triggers.js';

/**
 * Counts the occurrences of a word in a tsvector, with those that have some labels: weights of D, C, B and A. `ts_rank`
 * of one word is the sum of 1/j² over its n occurrences, divided by π²/6. The rest of that series is 1/(n + ½) within
 * 0.05, and nearer for more occurrences, so that rounding gives n.
 */
function occurrences(name: string, weights: string): string {
  return `create function ${name}(words tsvector, word tsquery) returns integer language sql immutable parallel safe
    as $$ select round(1 / (1.64493406685 * (1 - ts_rank('{${weights}}', words, word)::float8)) - 0.5)::integer $$`;
}

/**
 * Numbers a user's changes in the order of the commits: the counter's row is locked until then. A sequence would be
 * given out before the commit, so that a reader could skip a number.
 */
const numberChange = `create function number_change() returns trigger language plpgsql as $$ begin
  insert into change_counters as c (user_id, last) values (new.user_id, 1)
    on conflict (user_id) do update set last = c.last + 1 returning last into new.sequence;
  return new; end $$`;

/**
 * Adds the changes of a user's lexemes to their counts. Each write would update thousands of counts otherwise, most of
 * them again and again.
 */
const sumLexemes = `create function sum_lexemes(summed text) returns void language plpgsql as $$
  declare changed text[]; counts bigint[]; begin
  with taken as (delete from lexeme_changes where user_id = summed returning lexemes, rows)
    select array_agg(s.lexeme), array_agg(s.count) into changed, counts from (
      select c.lexeme, sum(c.count)::bigint as count from taken, unnest(taken.lexemes, taken.rows) as c (lexeme, count)
      group by c.lexeme order by c.lexeme
    ) s;
  insert into lexeme_counts as k (user_id, lexeme, rows)
    select summed, c.lexeme, c.count from unnest(changed, counts) as c (lexeme, count)
    on conflict (user_id, lexeme) do update set rows = k.rows + excluded.rows;
  end $$`;

function functionOf({ name, body }: Trigger): string {
  return `create function ${name}() returns trigger language plpgsql as $$
    declare one record; begin ${body} return null; end $$`;
}

function triggerOf({ name, change, rows }: Trigger): string {
  const scope = rows === undefined ? 'for each row' : `referencing ${rows} table as changed for each statement`;
  return `create trigger ${name} after ${change} ${scope} execute function ${name}()`;
}

/** The schema as of the 32nd migration of SQLite. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    ...tables,
    // Uncompressed rows beside each other are read several times as fast as values in another table.
    'alter table chunk_text alter column words set storage main',
    'alter table chunk_text set (toast_tuple_target = 8160)',
    ...indexes,
    occurrences('count_occurrences', '1,1,1,1'),
    occurrences('count_in_title', '0,0,0,1'),
    numberChange,
    sumLexemes,
    'create trigger number_change before insert on index_changes for each row execute function number_change()',
    ...triggers.flatMap((trigger) => [functionOf(trigger), triggerOf(trigger)]),
    policies,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
