import type { Operator } from '@recollect/contract/query-syntax';

/**
 * The operators with one more. Each name is used once, and the last one counts.
 *
 * @example
 * withOperator([{ name: 'tag', value: 'tea' }], { name: 'tag', value: 'coffee' }); // [{ name: 'tag', value: 'coffee' }]
 */
export function withOperator(operators: readonly Operator[], added: Operator): Operator[] {
  return [...operators.filter(({ name }) => name !== added.name), added];
}
