/** What the thread does with a file. `target` must not exist. */
export interface AgeWork {
  direction: 'encrypt' | 'decrypt';
  source: string;
  /** Null: the result is only hashed. */
  target: string | null;
  passphrase: string;
  /** Whether other work comes first. Someone waits for a restore, but not for a backup. */
  isBackground: boolean;
}

export type AgeResult =
  | { outcome: 'done'; bytes: number; sha256: string }
  | { outcome: 'wrong-passphrase' | 'damaged' }
  | { outcome: 'failed'; message: string; code: string };
