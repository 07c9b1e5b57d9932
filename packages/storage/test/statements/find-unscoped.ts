import { loadModule, parseSync } from 'libpg-query';

await loadModule();

/** A node of PostgreSQL's syntax tree: its kind, and its fields. */
export type Node = Record<string, unknown>;

/** A table of a statement without a condition on its user. */
export interface UnscopedTable {
  table: string;
  /** The part of the statement that reads or writes it. */
  kind: string;
}

/** The syntax tree of a statement, by PostgreSQL's own parser. */
export function parseStatement(sql: string): Node {
  return (parseSync(sql).stmts?.[0]?.stmt ?? {}) as Node;
}

/** Finds the tables of a statement that lack `user_id = $n`, or a parameter as the user of the rows they get. */
export function findUnscoped(statement: Node): UnscopedTable[] {
  const unscoped: UnscopedTable[] = [];
  visit(statement, new Set(), unscoped);
  return unscoped;
}

const QUERIES = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt'];

function visit(value: unknown, outer: ReadonlySet<string>, unscoped: UnscopedTable[]): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, outer, unscoped);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [kind, child] of Object.entries(value)) {
    // The halves of a union are not wrapped in their kind.
    const isQuery = QUERIES.includes(kind) || kind === 'larg' || kind === 'rarg';
    const named = isQuery ? new Set([...outer, ...namesOfWith(child as Node)]) : outer;
    if (isQuery && !isWrapped(child)) check(kind, child as Node, named, unscoped);
    visit(child, named, unscoped);
  }
}

/** Joins also have the fields `larg` and `rarg`, whose values are wrapped in their kind. */
function isWrapped(value: unknown): boolean {
  return Object.keys(value as Node).every((key) => /^[A-Z]/.test(key));
}

function check(kind: string, query: Node, named: ReadonlySet<string>, unscoped: UnscopedTable[]): void {
  const tables: { table: string; alias: string }[] = [];
  const conditions: unknown[] = [query.whereClause];
  const collect = (item: unknown): void => {
    const { RangeVar, JoinExpr } = (item ?? {}) as Record<string, Node>;
    if (RangeVar !== undefined) tables.push(tableOf(RangeVar));
    if (JoinExpr !== undefined) {
      collect(JoinExpr.larg);
      collect(JoinExpr.rarg);
      conditions.push(JoinExpr.quals);
    }
  };
  for (const item of [query.fromClause, query.usingClause].flat()) collect(item);
  if (kind === 'InsertStmt') {
    const { table } = tableOf(query.relation as Node);
    if (!insertsUser(query)) unscoped.push({ table, kind });
  } else if (query.relation !== undefined) tables.push(tableOf(query.relation as Node));
  const scoped = conditions.flatMap(conjuncts).map(userCondition);
  for (const { table, alias } of tables)
    if (
      !named.has(table) &&
      !scoped.some((one) => one?.alias === alias || (one?.alias === null && tables.length === 1))
    )
      unscoped.push({ table, kind });
}

function tableOf({ relname, alias }: Node): { table: string; alias: string } {
  return { table: String(relname), alias: String((alias as Node | undefined)?.aliasname ?? relname) };
}

function namesOfWith({ withClause }: Node): string[] {
  const ctes = ((withClause as Node | undefined)?.ctes ?? []) as { CommonTableExpr: { ctename: string } }[];
  return ctes.map(({ CommonTableExpr: { ctename } }) => ctename);
}

function conjuncts(condition: unknown): Node[] {
  const { BoolExpr, A_Expr } = (condition ?? {}) as Record<string, Node>;
  if (BoolExpr?.boolop === 'AND_EXPR') return (BoolExpr.args as unknown[]).flatMap(conjuncts);
  return A_Expr === undefined ? [] : [A_Expr];
}

/** The table and the parameter of `user_id = $n`, or null for another expression. */
export function userCondition(expression: Node): { alias: string | null; parameter: number } | null {
  const { kind, name, lexpr, rexpr } = expression as Record<string, Node> & { kind: unknown; name: unknown };
  if (kind !== 'AEXPR_OP' || nameOf(name) !== '=') return null;
  const path = pathOf(lexpr);
  const parameter = parameterOf(rexpr);
  if (parameter === null || path.at(-1) !== 'user_id') return null;
  return { alias: path.at(-2) ?? null, parameter };
}

function nameOf(name: unknown): string {
  return (name as { String: { sval: string } }[]).map(({ String: { sval } }) => sval).join('.');
}

function pathOf(expression: Node | undefined): string[] {
  const { fields = [] } = (expression?.ColumnRef ?? {}) as { fields?: { String?: { sval: string } }[] };
  return fields.map((field) => field.String?.sval ?? '*');
}

function parameterOf(expression: Node | undefined): number | null {
  const cast = expression?.TypeCast as { arg: Node } | undefined;
  if (cast !== undefined) return parameterOf(cast.arg);
  const parameter = expression?.ParamRef as { number: number } | undefined;
  return parameter?.number ?? null;
}

/** Whether each inserted row belongs to a user that the statement names. */
function insertsUser({ cols = [], selectStmt }: Node): boolean {
  const at = (cols as { ResTarget: { name: string } }[]).findIndex(({ ResTarget }) => ResTarget.name === 'user_id');
  const { valuesLists, targetList } = ((selectStmt ?? {}) as { SelectStmt?: Node }).SelectStmt ?? {};
  if (at < 0) return false;
  if (valuesLists !== undefined)
    return (valuesLists as { List: { items: Node[] } }[]).every(({ List }) => parameterOf(List.items[at]) !== null);
  // The column of a table that is limited itself, or a parameter.
  const value = (targetList as { ResTarget: { val: Node } }[] | undefined)?.[at]?.ResTarget.val;
  return parameterOf(value) !== null || pathOf(value).at(-1) === 'user_id';
}
