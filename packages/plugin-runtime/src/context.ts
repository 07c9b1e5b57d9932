/** Conditions for a search or a list. A memory must meet all of them. */
export interface MemoryFilter {
  sourceType?: string;
  /** A host; its subdomains are included. */
  site?: string;
  tag?: string;
  /** Captured at or after this instant, ISO 8601. */
  since?: string;
  /** Captured before this instant. */
  until?: string;
}

/** A memory without its text. */
export interface Annotated {
  id: string;
  title: string;
  url: string | null;
  sourceType: string;
  sourceApp: string;
  captureMode: string;
  tags: string[];
  note: string | null;
  capturedAt: string;
  updatedAt: string;
  /** The value that this plugin stored with `annotate`; null without one. */
  annotation: unknown;
}

export interface ReadMemory extends Annotated {
  text: string;
  metadata: Record<string, unknown>;
}

export interface FoundMemory {
  id: string;
  title: string;
  sourceType: string;
  url: string | null;
  excerpt: string;
  /** Above 0 and at most 1. Means the same for every query (QRY-11). */
  score: number;
}

export interface ListedMemories {
  memories: Annotated[];
  /** Null on the last page. */
  nextCursor: string | null;
}

/**
 * Access to the memories, limited to the scopes that the plugin declares. A call without its scope is rejected, and so
 * is a write after the job or hook was cancelled.
 */
export interface MemoryClient {
  /**
   * Scope `search`. Hybrid search (full text and vectors), best first. `limit`: 1 to 50, default 10.
   *
   * @example
   * const [best] = await memory.search('how to brew tea', { tag: 'kitchen', limit: 5 });
   */
  search(query: string, options?: MemoryFilter & { limit?: number | undefined }): Promise<FoundMemory[]>;
  /**
   * Scope `search`. The most similar memories, nearest first, with the cosine similarity. `limit`: 1 to 100, default
   * 10. Null while the memory has no embedding.
   *
   * @example
   * const neighbours = await memory.neighbours(id, { limit: 5 });
   * const related = neighbours?.filter(({ similarity }) => similarity >= 0.5) ?? [];
   */
  neighbours(
    id: string,
    options?: { limit?: number | undefined },
  ): Promise<(Annotated & { similarity: number })[] | null>;
  /**
   * Scope `search`. How many chunks (about 200 tokens each) contain each word, and approximately how many chunks exist.
   *
   * @example
   * const { total, counts: [oolong = 0] } = await memory.frequencies(['oolong']);
   * const rarity = Math.log((total + 1) / (oolong + 0.5));
   */
  frequencies(words: readonly string[]): Promise<{ total: number; counts: number[] }>;
  /** Scope `read`. Null when the memory no longer exists. */
  get(id: string): Promise<ReadMemory | null>;
  /**
   * Scope `list`. Newest first. `limit`: 1 to 100 per page, default 50.
   *
   * @example
   * const { memories, nextCursor } = await memory.list({ tag: 'recipe' });
   * const next = nextCursor === null ? null : await memory.list({ tag: 'recipe', cursor: nextCursor });
   */
  list(
    options?: MemoryFilter & { limit?: number | undefined; cursor?: string | null | undefined },
  ): Promise<ListedMemories>;
  /** Scope `list`. Tags with their number of memories, most frequent first. `limit`: 1 to 10,000, default 1,000. */
  tags(options?: { limit?: number | undefined }): Promise<{ tag: string; count: number }[]>;
  /** Scope `tag`. False when the memory no longer exists. Throws when it would have more than 100 tags. */
  addTags(id: string, tags: readonly string[]): Promise<boolean>;
  /** Scope `tag`. False when the memory no longer exists. */
  removeTags(id: string, tags: readonly string[]): Promise<boolean>;
  /**
   * Scope `tag`. Stores up to 16 KiB of JSON in the memory's metadata, under the plugin's name; null removes it. False
   * when the memory no longer exists.
   *
   * @example
   * await memory.annotate(id, { minutes: 7 });
   * const annotation = (await memory.get(id))?.annotation; // { minutes: 7 }
   */
  annotate(id: string, value: unknown): Promise<boolean>;
  /**
   * Scope `save`. The same text from the same URL is a `duplicate`, with the id of the existing memory. Triggers no
   * hooks.
   *
   * @example
   * const { id, status } = await memory.save({ title: 'Digest', text: '# Today', tags: ['digest'] });
   */
  save(memory: {
    title?: string;
    text: string;
    url?: string;
    tags?: readonly string[];
    note?: string;
    metadata?: Record<string, unknown>;
  }): Promise<{ id: string; status: 'created' | 'duplicate' }>;
}

/**
 * Storage of a plugin, per user. It is deleted when the plugin is uninstalled. Values are JSON of up to 64 KiB.
 *
 * @example
 * const runs = ((await state.get<number>('runs')) ?? 0) + 1;
 * await state.set('runs', runs);
 */
export interface PluginState {
  /** Null when the key does not exist. */
  get<T = unknown>(key: string): Promise<T | null>;
  set(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<void>;
  keys(prefix?: string): Promise<string[]>;
}

/**
 * Adds lines to the history of the run.
 *
 * @example
 * logger.warn(`${id} has no embedding yet.`); // in the run's details: "log: warning: … has no embedding yet."
 */
export interface Logger {
  info(text: string): void;
  warn(text: string): void;
  error(text: string): void;
}

/**
 * The argument of a job and the second argument of a hook.
 *
 * @example
 * async function run({ memory, configuration, signal }: PluginContext<{ tag: string }>) {
 *   const { memories } = await memory.list({ tag: configuration.tag });
 *   return signal.aborted ? 'Cancelled.' : `${memories.length} memories.`;
 * }
 */
export interface PluginContext<Configuration = Record<string, unknown>> {
  /** Validated by the plugin's schema, with its defaults filled in. */
  configuration: Configuration;
  memory: MemoryClient;
  state: PluginState;
  logger: Logger;
  /** Aborts at the time limit (1 s later the process is killed) or when Recollect stops (5 s later). */
  signal: AbortSignal;
}
