/** The thread's work on a file. `target` must not exist. */
export interface AgeWork {
  direction: 'encrypt' | 'decrypt';
  source: string;
  /** Null: the result is only hashed. */
  target: string | null;
  passphrase: string;
  /** Whether captures and queries come first, as they do for a backup. A restore does not give way. */
  isBackground: boolean;
}

export type AgeResult =
  | { outcome: 'done'; bytes: number; sha256: string }
  | { outcome: 'wrong-passphrase' | 'damaged' }
  | { outcome: 'failed'; message: string; code: string };
