/** A file of an archive or a folder. */
export interface ArchivedFile {
  /** Its name, with the folders that it is in. */
  name: string;
  /** Bytes that it unfolds to. */
  size: number;
  /** When it was changed last; null if that is not known. */
  changedAt: Date | null;
  /** Rejects if the file is damaged, or encrypted. */
  read(): Promise<Buffer>;
}

export interface Archive {
  /** The files up to the fault, in the order of the archive. */
  files: readonly ArchivedFile[];
  /** Why the list of files ends too early; null if it is complete. */
  fault: Error | null;
  close(): void;
}

/** An archive, or a file of one, that only a password opens. */
export class EncryptedError extends Error {
  override readonly name = 'EncryptedError';
}
