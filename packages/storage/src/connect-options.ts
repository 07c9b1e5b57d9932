/** How a dialect connects to a store. */
export interface ConnectOptions {
  /** Threads that read, at most. With 0, all statements block the calling thread. */
  readers: number;
  /** Memory for pages of the store, in MB per connection. */
  cacheMb?: number | undefined;
  /** Memory for vectors, in MB, which all readers share. With 0, and without threads, they are searched in SQL. */
  vectorMemoryMb?: number | undefined;
  /** Memory for the text index, in MB, which all readers share. With 0, and without threads, FTS5 searches. */
  textMemoryMb?: number | undefined;
  /** The URL of a replica of a database, on which searches may be done. */
  readUrl?: string | undefined;
  /** Receives a sentence that says why something is slower than it could be. */
  onNotice?: ((notice: string) => void) | undefined;
  /** Whether the store may be on a network file system. */
  allowsNetwork?: boolean;
  /** Asked before a store is created: false if there was one. */
  mayCreate?: (() => Promise<boolean>) | undefined;
  /**
   * Whether this process has identified the store and has connections to it. It is not identified again: closing a
   * descriptor of its file would release the locks of those connections.
   */
  isInUse?: boolean;
}
