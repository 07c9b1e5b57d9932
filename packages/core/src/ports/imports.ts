/** An import of a file or a folder, which is one change. */
export interface StoredImport {
  /** The id of its changes. */
  id: string;
  /** When it began: ISO 8601 in UTC. */
  at: string;
  /** The name of the file. */
  name: string;
  programs: readonly string[];
  /** Memories that it created. Null until it has ended. */
  created: number | null;
  /** Memories that it changed. Null until it has ended. */
  updated: number | null;
  /** The change that undid it. */
  undoId: string | null;
}

/** The imports of all users. */
export interface ImportStore {
  /** The latest imports, newest first. */
  list(userId: string, limit: number): Promise<StoredImport[]>;
  find(userId: string, id: string): Promise<StoredImport | null>;
  /** Stores an import, or replaces it. */
  save(userId: string, stored: StoredImport): Promise<void>;
  remove(userId: string, id: string): Promise<void>;
  /** Notes that a change was undone by another one: an import, or the undo of an import. Ignores other changes. */
  saveUndo(userId: string, changeId: string, undoId: string): Promise<void>;
  /** The live memories that an import created, by their ids. */
  created(userId: string, id: string): Promise<string[]>;
  /** The given memories with a highlight that was made or changed after an instant. */
  highlightedSince(userId: string, memoryIds: readonly string[], at: string): Promise<string[]>;
}
