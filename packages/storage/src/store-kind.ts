/** Where a store is: in a file of this machine, in the memory of the process, or in a database on a server. */
export type StoreKind = 'file' | 'memory' | 'database';

/**
 * Returns the kind of store that a URL names.
 *
 * @example
 * storeKindOf('postgres://recollect@db.example/recollect'); // 'database'
 */
export function storeKindOf(url: string): StoreKind {
  if (/^postgres(?:ql)?:/.test(url)) return 'database';
  return url === 'sqlite::memory:' ? 'memory' : 'file';
}
