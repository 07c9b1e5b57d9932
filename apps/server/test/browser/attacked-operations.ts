import { type Operation, operations } from '@recollect/contract';

/**
 * What the attacks of a browser are tried on: one operation of each kind that the gate or a browser tells apart, and in
 * the long suite all of them. `hostile.test.ts` sends what browsers send to every operation.
 */
export const attackedOperations: readonly Operation[] = process.env.LONG === '1' ? all() : oneOfEachKind();

/**
 * Two attackers that differ only in their cookie share the operations: each attacks half of them, and all in the long
 * suite.
 */
export function shareOf(attacker: 0 | 1): readonly Operation[] {
  return attackedOperations.filter((_, at) => process.env.LONG === '1' || at % 2 === attacker);
}

function all(): Operation[] {
  return Object.values<Operation>(operations);
}

function oneOfEachKind(): Operation[] {
  const kinds = new Map<string, Operation>();
  for (const operation of all()) {
    const { method, scope, consumes, produces, allowsCrossSiteNavigation } = operation;
    const access = scope === 'public' || scope === 'admin' ? scope : 'some scope';
    const kind = [method, access, consumes, produces, allowsCrossSiteNavigation].join();
    if (!kinds.has(kind)) kinds.set(kind, operation);
  }
  return [...kinds.values()];
}
