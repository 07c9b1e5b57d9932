/** The operations of a process on the files of a store, in order. */
export type Operation =
  | { kind: 'create'; file: string }
  | { kind: 'unlink'; file: string }
  | { kind: 'rename'; file: string; to: string }
  | { kind: 'write'; file: string; position: number; data: Buffer }
  | { kind: 'truncate'; file: string; size: number }
  /** Covers what was done before the operation number `began`. A folder's sync covers the names in it. */
  | { kind: 'sync'; file: string; began: number }
  /** The process said that something is saved. */
  | { kind: 'acknowledge'; what: string };
