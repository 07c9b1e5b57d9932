/** What narrows a search or a list; all that are given must hold. */
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
  /** What this plugin has noted on it; null when nothing. */
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
  /** Above 0 and at most 1; compares within one search alone. */
  score: number;
}

export interface ListedMemories {
  memories: Annotated[];
  /** Null at the end. */
  nextCursor: string | null;
}

/**
 * The memories, as far as the plugin has declared scopes for. A call without its scope is refused, and so is what is
 * written after the work has been called off.
 */
export interface MemoryClient {
  /** Scope `search`: by meaning and by word, best first; 1 to 50 results. */
  search(query: string, options?: MemoryFilter & { limit?: number | undefined }): Promise<FoundMemory[]>;
  /** Scope `search`: those that mean nearly the same, nearest first, with the cosine; null while it has no embedding. */
  neighbours(
    id: string,
    options?: { limit?: number | undefined },
  ): Promise<(Annotated & { similarity: number })[] | null>;
  /** Scope `search`: how many chunks of about 200 words hold each word, and how many chunks there are about. */
  frequencies(words: readonly string[]): Promise<{ total: number; counts: number[] }>;
  /** Scope `read`: null when it is gone. */
  get(id: string): Promise<ReadMemory | null>;
  /** Scope `list`: newest first; 1 to 100 a page, 50 when missing. */
  list(
    options?: MemoryFilter & { limit?: number | undefined; cursor?: string | null | undefined },
  ): Promise<ListedMemories>;
  /** Scope `list`: the tags with the number of memories, the most frequent first. */
  tags(options?: { limit?: number | undefined }): Promise<{ tag: string; count: number }[]>;
  /** Scope `tag`: false when the memory is gone. Throws when it would have more than 100 tags. */
  addTags(id: string, tags: readonly string[]): Promise<boolean>;
  /** Scope `tag`. */
  removeTags(id: string, tags: readonly string[]): Promise<boolean>;
  /** Scope `tag`: keeps JSON of up to 16 KiB in the memory's metadata under the plugin's name; null takes it away. */
  annotate(id: string, value: unknown): Promise<boolean>;
  /** Scope `save`: the same text from the same URL again is the memory that was there. Sets off no hooks. */
  save(memory: {
    title?: string;
    text: string;
    url?: string;
    tags?: readonly string[];
    note?: string;
    metadata?: Record<string, unknown>;
  }): Promise<{ id: string; status: 'created' | 'duplicate' }>;
}

/** What a plugin keeps for itself, for each user, until it is uninstalled. Values are JSON of up to 64 KiB. */
export interface PluginState {
  /** Null when there is none. */
  get<T = unknown>(key: string): Promise<T | null>;
  set(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<void>;
  keys(prefix?: string): Promise<string[]>;
}

/** Lines for the history of the run. */
export interface Logger {
  info(text: string): void;
  warn(text: string): void;
  error(text: string): void;
}

/** What a job or a hook works with. */
export interface PluginContext<Configuration = Record<string, unknown>> {
  /** Checked against the plugin's schema, with its defaults. */
  configuration: Configuration;
  memory: MemoryClient;
  state: PluginState;
  logger: Logger;
  /** Aborts when time is up or the program stops; a second later the process is ended. */
  signal: AbortSignal;
}
