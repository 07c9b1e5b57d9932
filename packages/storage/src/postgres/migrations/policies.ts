/** The acting user, or `*` for all of them. As a subquery it is evaluated once for each statement. */
const ACTING = "(select current_setting('recollect.user', true))";
const IS_OWN = `user_id = ${ACTING} or ${ACTING} = '*'`;

/** Tables with the column `user_id` whose rows do not belong to that user. */
const OTHERS = ['integrity_round'];

/**
 * Tables of the full-text index. Their rows can be selected by all: PostgreSQL uses no index for `@@` behind a policy,
 * since that operator is not leakproof. They have stems and ids of chunks, which the policy of `chunks` hides.
 */
const SEARCHED = ['chunk_text', 'comment_text'];

const list = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ');

/**
 * Limits each table with a user to the rows of the acting one. `force` includes the owner of the tables, so that
 * operators need no second account. The policies do not apply to superusers.
 */
export const policies = `do $$ declare name text; begin
  for name in select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'user_id'
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and not a.attisdropped
      and c.relname not in (${list(OTHERS)})
  loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    if name in (${list(SEARCHED)}) then
      execute format('create policy selected_by_all on %I for select using (true)', name);
      execute format('create policy inserted_by_user on %I for insert with check (%s)', name, $p$${IS_OWN}$p$);
      execute format('create policy updated_by_user on %I for update using (%s)', name, $p$${IS_OWN}$p$);
      execute format('create policy deleted_by_user on %I for delete using (%s)', name, $p$${IS_OWN}$p$);
    else
      execute format('create policy of_user on %I using (%s)', name, $p$${IS_OWN}$p$);
    end if;
  end loop; end $$`;
