import { deparseSync } from 'pgsql-deparser';
import { type Node, parseStatement, userCondition } from './find-unscoped.js';

/** A statement from which the condition of one table on the user was removed. */
export interface WithoutUser {
  sql: string;
  /** The part of the statement that lost its condition. */
  removed: string;
}

/** Removes each condition on a user from a statement, one at a time. */
export function withoutUsers(sql: string): WithoutUser[] {
  const variants: WithoutUser[] = [];
  const statement = parseStatement(sql);
  eachCondition(statement, (condition, replace) => {
    const { alias, parameter } = condition;
    // The parameter keeps its type.
    const restore = replace(parseCondition(`$${parameter}::text is not null`));
    variants.push({
      sql: deparseSync(statement as Parameters<typeof deparseSync>[0]),
      removed: `${alias ?? ''}.user_id`,
    });
    restore();
  });
  return variants;
}

type Condition = NonNullable<ReturnType<typeof userCondition>>;

function eachCondition(
  value: unknown,
  onCondition: (condition: Condition, replace: (other: Node) => () => void) => void,
): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    const expression = (child as { A_Expr?: Node } | null)?.A_Expr;
    const condition = expression === undefined ? null : userCondition(expression);
    if (condition === null) eachCondition(child, onCondition);
    else
      onCondition(condition, (other) => {
        (value as Node)[key] = other;
        return () => {
          (value as Node)[key] = child;
        };
      });
  }
}

function parseCondition(condition: string): Node {
  const { SelectStmt } = parseStatement(`select 1 where ${condition}`) as { SelectStmt: { whereClause: Node } };
  return SelectStmt.whereClause;
}
