/** The defaults and limits of the interface: sizes in bytes, lengths in UTF-16 code units, times in milliseconds. */
export const limits = {
  body: { bytes: 16 * 1024 * 1024, depth: 32, keys: 200_000 },
  capture: {
    perRequest: 100,
    /** If a request has more chunks than this, an indexing job embeds them later. */
    inlineChunks: 100,
    /**
     * If so many chunks of several requests would wait for the model,
     * the chunks of the last request are embedded later.
     */
    inlineWaiting: 8,
    inlineEmbeddingMs: 15_000,
    /** Processor time that a page may take to read, besides a second for each 250,000 characters. */
    extractionMs: 5_000,
    /** Bytes of a PDF, whose Base64 has to fit into a body, and processor time that it may take to read. */
    pdfBytes: 12_000_000,
    pdfMs: 30_000,
    metadataBytes: 64 * 1024,
    titleLength: 10_000,
    fileNameLength: 1_000,
    urlLength: 8_192,
    sourceAppLength: 64,
    tags: 100,
    tagLength: 100,
    noteLength: 20_000,
    /** Comments below a page, the length of a name, and the characters of all their texts. */
    comments: { count: 500, authorLength: 200, characters: 100_000 },
    idempotencyKeyLength: 255,
  },
  /** A memory has at most one picture, and a site at most one favicon. */
  pictures: {
    picture: { bytes: 24 * 1024, width: 480, height: 960 },
    favicon: { bytes: 4 * 1024, width: 256, height: 256 },
  },
  /** Fetches of pages: links named at once and selected, open at a time, and ended ones and outcomes that are kept. */
  fetches: { ids: 500, links: 1_000_000, open: 3, known: 20, outcomes: 100 },
  query: {
    length: 2_000,
    results: { default: 10, minimum: 1, maximum: 50 },
    excerptLength: 300,
    embeddingMs: 2_000,
    /** The processor time of a search, and how much of it a search has before it lets others go first. */
    budgetMs: 1_000,
    turnMs: 50,
    /** How long careful search may take on top of a search. */
    carefulMs: 1_500,
    /** Results with a lower score are shown after the others, as weaker matches, and at most so many of them. */
    likelyScore: 0.3,
    weakerResults: 10,
    /** If no result has this score, nothing is shown. */
    closeScore: 0.1,
  },
  memories: {
    page: { default: 50, minimum: 1, maximum: 100 },
    cursorLength: 2_000,
    lookupUrls: 50,
    /** Memories of a site that a lookup returns. */
    lookupSite: 20,
    /** Characters of the beginning of a title that is completed. */
    titlePrefix: 200,
    /** Ids in one bulk change. A filter has no limit. */
    changeIds: 1_000,
    /** Memories up to which a change is complete when its request is answered. */
    changeAtOnce: 1_000,
    related: { default: 5, minimum: 1, maximum: 20 },
    /** Values per kind in the counts, the most frequent first. */
    counts: 100,
    /** Entries of a memory's history. */
    history: 100,
    /** Versions of a page. */
    versions: 100,
    /** Links of a memory to others, and of others to it. */
    links: 500,
  },
  highlights: { quoteLength: 5_000, contextLength: 2_000, noteLength: 20_000, perMemory: 1_000, review: 5 },
  /** Characters of a tag's icon, and tags with an icon or a colour. */
  tagLooks: { iconLength: 32, kept: 5_000 },
  savedSearches: { nameLength: 100, kept: 200 },
  /** Shares of a person, memories on a page of one, and memories that a person may add to one. */
  shares: { kept: 200, page: 50, added: 1_000 },
  /** How long a session of the web app lasts, in days, and characters of the label that tells it apart. */
  sessions: { days: 30, labelLength: 100 },
  /** Exports and imports. */
  transfer: {
    /** The longest line of an export that an import reads. */
    lineBytes: 64 * 1024 * 1024,
    /** Values of such a line: its keys may have as many, and lists of tags and turns more. */
    values: 1_000_000,
    /** Characters of former texts that an export has per memory, the newest first. */
    previousLength: 16_000_000,
    /** Size of a step of reading and writing, in memories and characters of their lines. */
    batch: { memories: 100, length: 400_000 },
    /** Entries of each list in a report. */
    reported: 1_000,
    /** Items that a preview names. */
    previewed: 10,
    /** Imports that are listed for an undo. */
    listed: 20,
    /** Bytes of a file of another program. */
    fileBytes: 2 * 1024 * 1024 * 1024,
    /** Characters of the name of such a file. */
    nameLength: 255,
    /** Imports at a time: of the whole deployment, of its only person, and of each of several. */
    concurrent: { ofAll: 4, ofOne: 2, ofEach: 1 },
    /** How long an import waits for more of a request's body. */
    idleMs: 30_000,
  },
  /** Periods and values of the statistics, and for how long an answer is kept if no memory changes. */
  statistics: { weeks: 26, months: 36, values: 10, keptMs: 60_000 },
  reindex: { batch: { default: 32, minimum: 1, maximum: 256 } },
  /** How long a lease on work lasts without renewal, and how often and when the work is retried (REL-10). */
  work: { leaseMs: 30_000, attempts: 8, backoffMs: { base: 15_000, maximum: 3_600_000 } },
  apiKeys: { nameLength: 100 },
  people: { nameLength: 100, addressLength: 254 },
  /** How long an invitation is valid, and characters of the token in its link. */
  invitations: { days: 7, tokenLength: 100 },
  /** Entries of the audit log that are kept, and in a page of it. */
  audit: { kept: 10_000, page: 100 },
  /** How long a pairing code is valid, characters of a typed one, and of the name of a device. */
  pairing: { minutes: 10, codeLength: 100, deviceLength: 60 },
  jobs: {
    intervalMinutes: { default: 1_440, minimum: 1, maximum: 525_600 },
    runDue: { default: 10, minimum: 1, maximum: 100 },
    /** Runs kept per job. */
    runs: 200,
  },
  plugins: {
    startMs: 20_000,
    /** Consecutive failed starts before a plugin is suspended. */
    failedStarts: 5,
    /** Output that a plugin may print or log during one call. */
    outputBytes: 1024 * 1024,
    /** Calls that may queue for one plugin. */
    queue: 100,
    configurationBytes: 64 * 1024,
    summaryLength: 500,
    details: { items: 200, length: 1_000 },
    annotationBytes: 16 * 1024,
    state: { keyLength: 200, valueBytes: 64 * 1024, keys: 10_000 },
    slugLength: 50,
    jobs: 1_000,
  },
  /** Streams of events that are open at a time: of one key or address, and of all, which leaves sockets to others. */
  eventStreams: { ofCaller: 32, ofAll: 160 },
  /** Per API key, or per address for requests without one. `failures` are failed authentications per address. */
  requestsPerMinute: { capture: 120, query: 600, mcp: 300, public: 60, failures: 10 },
  mcp: {
    /** How long one call may take, in milliseconds. */
    callMs: 10_000,
    /** Characters of a text per fetch: about 7,500 tokens, which every assistant accepts in one result. */
    pageLength: 30_000,
    /** Tokens of text that one search may return. */
    passageTokens: { minimum: 100, maximum: 20_000 },
    textLength: 1_000_000,
    /** Characters of a text that is read as a resource, since resources are not paginated. */
    resourceLength: 200_000,
    titleLength: 300,
    /** Maximum of a memory's note, in characters, and of its tags in a list. `fetch` shows all of them. */
    listed: { noteLength: 300, tags: 20 },
    clientLength: 100,
    tags: 500,
    /** The most that the protocol allows. */
    completions: 100,
  },
  /** Kinds of errors of the server that are kept, and that its status shows. */
  errors: { kept: 100, shown: 10 },
  retention: { trashDays: 30, idempotencyDays: 30, historyDays: { default: 30, minimum: 1, maximum: 3_650 } },
  /** How many automatic backups are kept, how often one is made, and the delay before a failed one is retried. */
  backups: {
    kept: { hourly: 24, daily: 30, migration: 5 },
    intervalMs: 3_600_000,
    retryMs: { base: 60_000, maximum: 3_600_000 },
  },
} as const;
