import { branchKey, tagKey } from '@recollect/contract/text';
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Tables } from '../tables.js';

/** The character after the slash: the keys below a branch sort before the branch with this character. */
export const AFTER_SLASH = '0';

/**
 * The condition that a row has a tag, or a tag below it. It is one range of the primary key, from which others such as
 * `dev-ops` are left out.
 */
export function hasTag(eb: ExpressionBuilder<Tables, 'memory_tags'>, tag: string): Expression<SqlBool> {
  const [key, branch] = [tagKey(tag), branchKey(tag)];
  const nested = eb.and([
    eb('key', '>=', branch),
    eb('key', '<', `${branch}${AFTER_SLASH}`),
    eb.or([eb('key', '=', branch), eb('key', '>=', `${branch}/`)]),
  ]);
  // A tag of an earlier version may have blank parts.
  return key === branch ? nested : eb.or([nested, eb('key', '=', key)]);
}
