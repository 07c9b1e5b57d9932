/** A file of an archive. */
export interface ArchivedFile {
  /** Its name, with the folders that it is in. */
  name: string;
  /** Bytes that it unfolds to. */
  size: number;
  /** Rejects if the file is damaged. */
  read(): Promise<Buffer>;
}

export interface Archive {
  /** The files up to the fault, in the order of the archive. */
  files: readonly ArchivedFile[];
  /** Why the list of files ends too early; null if it is complete. */
  fault: Error | null;
  close(): void;
}
