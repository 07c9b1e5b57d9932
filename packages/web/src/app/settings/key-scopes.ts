import { type Scope, scopes } from '@recollect/contract/vocabulary';

/** The permissions of a scope. */
export const scopeNames: Readonly<Record<Scope, string>> = {
  'capture:write': 'save',
  'memory:read': 'search and read',
  'memory:write': 'change and delete',
  'index:run': 'create embeddings',
  'jobs:run': 'run plugin jobs',
  'jobs:manage': 'schedule plugin jobs',
  admin: 'everything, also create and revoke keys',
};

/** The scopes that most keys need. */
export const presets: readonly { name: string; scopes: readonly Scope[] }[] = [
  { name: 'Save only', scopes: ['capture:write'] },
  { name: 'Read and save', scopes: ['capture:write', 'memory:read'] },
  { name: 'Everything', scopes: ['admin'] },
];

/**
 * The permissions of a key, in words.
 *
 * @example
 * describeScopes(['capture:write', 'memory:read']); // 'read and save'
 */
export function describeScopes(given: readonly Scope[]): string {
  const preset = given.includes('admin') ? presets.at(-1) : presets.find((known) => hasSame(known.scopes, given));
  if (preset !== undefined) return preset.name.toLowerCase();
  return scopes.flatMap((scope) => (given.includes(scope) ? scopeNames[scope] : [])).join(', ');
}

/** Whether two lists of scopes are the same, in any order. */
export function hasSame(one: readonly Scope[], other: readonly Scope[]): boolean {
  return one.length === other.length && one.every((scope) => other.includes(scope));
}
