import { limits } from '@recollect/contract/limits';
import { type ApiKeys, createApiKeys } from './access/api-keys.js';
import { type Challenges, createChallenges } from './access/challenges.js';
import { createIdentities, type Identities } from './access/identities.js';
import { createInvitations, type Invitations } from './access/invitations.js';
import { createPairings, type Pairings } from './access/pairings.js';
import { createSessions, type Sessions } from './access/sessions.js';
import { type Backups, createBackups } from './backups/backups.js';
import { type CaptureUseCase, createCapture } from './capture/capture.js';
import { createPageFetches, type PageFetches } from './fetching/page-fetches.js';
import { describeProblem } from './health/describe-problem.js';
import { createErrorRecorder, type ErrorRecorder } from './health/error-recorder.js';
import { createScrub, type ScrubUseCase } from './health/scrub.js';
import { createStatus, type StatusUseCase } from './health/status.js';
import { createHighlights, type Highlights } from './highlights/highlights.js';
import { createIndexing, type Indexing } from './indexing/reindex.js';
import { type BulkChanges, createBulkChanges } from './memories/bulk-changes.js';
import { type ChangeRuns, createChangeRuns } from './memories/change-runs.js';
import { createMemories, type Memories } from './memories/memories.js';
import { createTrash, type Trash } from './memories/trash.js';
import { createModels, type Models } from './models.js';
import { type Audit, createAudit } from './people/audit.js';
import { createPeople, type People } from './people/people.js';
import { noPluginHost } from './plugins/call-plugin.js';
import { createPluginUseCases, type PluginUseCases } from './plugins/create-plugin-use-cases.js';
import type { CorePorts } from './ports/core-ports.js';
import { type ChangeLog, type IntegrityStore, systemClock } from './ports/index.js';
import { createQuery, type QueryLimits, type QueryUseCase } from './retrieval/query.js';
import { createSavedSearches, type SavedSearches } from './saved-searches.js';
import { createSearchTest, type SearchTestUseCase } from './search-test/search-test.js';
import { createShared, type Shared } from './sharing/read-shared.js';
import { createShares, type Shares } from './sharing/shares.js';
import { createStatistics, type StatisticsUseCase } from './statistics.js';
import { createTagLooks, type TagLooks } from './tag-looks.js';
import { createImports, type Imports } from './transfer/imports.js';
import { createRecords, type Records } from './transfer/records.js';

/** All use cases. Errors that a person can act on are {@link RecollectError}s. */
export interface Core extends PluginUseCases {
  capture: CaptureUseCase;
  query: QueryUseCase;
  searchTest: SearchTestUseCase;
  memories: Memories;
  bulk: BulkChanges;
  /** Large changes, which run in the background. */
  changeRuns: ChangeRuns;
  /** Fetches of the pages of links, which run in the background. */
  fetches: PageFetches;
  trash: Trash;
  highlights: Highlights;
  savedSearches: SavedSearches;
  /** What a user shares. */
  shares: Shares;
  /** Reading what is shared. */
  shared: Shared;
  tagLooks: TagLooks;
  /** Export and import. */
  records: Records;
  /** Imports of exports of other programs. */
  imports: Imports;
  indexing: Indexing;
  models: Models;
  people: People;
  invitations: Invitations;
  /** What passkeys sign. */
  challenges: Challenges;
  identities: Identities;
  /** What operators did. */
  audit: Audit;
  apiKeys: ApiKeys;
  sessions: Sessions;
  pairings: Pairings;
  status: StatusUseCase;
  statistics: StatisticsUseCase;
  /** Why the store accepts no changes, in a sentence with the newest backup and what to do. Null while it does. */
  describeProblem: () => Promise<string | null>;
  /** The last errors of the server. */
  errors: ErrorRecorder;
  /** For how many days the values that a change replaced are kept. */
  historyDays: number;
  backups: Backups;
  /** The change sequence, for notifications. */
  changes: ChangeLog;
  /** Checks the next memories for damage. */
  scrub: ScrubUseCase;
  /** Checks the structure of the store's files and returns the damage. */
  checkStructure: IntegrityStore['checkStructure'];
}

type Optional =
  | 'embeddingModel'
  | 'previousModels'
  | 'modelCatalogue'
  | 'reranker'
  | 'dictionary'
  | 'articleExtractor'
  | 'exportReader'
  | 'readYaml'
  | 'backupStore'
  | 'backupRestorer'
  | 'backupAdvice'
  | 'clock'
  | 'pageFetcher'
  | 'pluginHost'
  | 'newestBackup';
export type CoreOptions = Omit<CorePorts, Optional> &
  Partial<Pick<CorePorts, Optional>> & {
    /** For how many days the values that a change replaced are kept; 30 by default. */
    historyDays?: number | undefined;
    /** Overrides for the default limits of searching. */
    queryLimits?: QueryLimits | undefined;
  };

/**
 * Makes all use cases over one store, for the applications. To use only a few, call their own functions, such as
 * `createCapture` and `createQuery`, with the ports that they need.
 *
 * @example
 * const storage = await openStorage({ url: 'sqlite::memory:' });
 * const core = createCore({ ...storage, embeddingModel });
 * await core.capture('local', [{ pageText: 'Green tea is best steeped below boiling.' }]);
 * const { answer } = await core.query('local', 'how hot for tea');
 */
export function createCore({
  historyDays = limits.retention.historyDays.default,
  queryLimits,
  ...options
}: CoreOptions): Core {
  const ports: CorePorts = {
    embeddingModel: null,
    previousModels: [],
    modelCatalogue: null,
    reranker: null,
    dictionary: null,
    articleExtractor: null,
    pageFetcher: null,
    exportReader: null,
    readYaml: null,
    backupStore: null,
    backupRestorer: null,
    backupAdvice: null,
    clock: systemClock,
    pluginHost: noPluginHost,
    newestBackup: async () => null,
    ...options,
  };
  const capture = createCapture(ports);
  const query = createQuery(ports, queryLimits);
  const memories = createMemories(ports, { historyDays });
  const indexing = createIndexing(ports);
  const errors = createErrorRecorder(ports);
  /** Records errors of work that no request waits for. */
  const recordFor = (operation: string) => (error: unknown) =>
    errors.record({
      operation,
      code: 'INTERNAL',
      cause: error instanceof Error ? error.name : typeof error,
      requestId: null,
      frames: [],
    });
  const backups = createBackups(ports);
  const records = createRecords(ports);
  const people = createPeople(ports);
  const pluginUseCases = createPluginUseCases(ports, { capture, query });
  return {
    capture,
    query,
    searchTest: createSearchTest(ports, query),
    memories,
    bulk: createBulkChanges(ports, query),
    changeRuns: createChangeRuns(ports, recordFor('changeMemories')),
    fetches: createPageFetches(ports, { capture, memories }, recordFor('startFetch')),
    trash: createTrash(ports),
    highlights: createHighlights(ports),
    savedSearches: createSavedSearches(ports),
    shares: createShares(ports),
    shared: createShared(ports, query),
    tagLooks: createTagLooks(ports),
    records,
    imports: createImports(ports, { capture, memories, records }),
    indexing,
    models: createModels(ports),
    people,
    invitations: createInvitations(ports, people),
    challenges: createChallenges(ports),
    identities: createIdentities(ports, people),
    audit: createAudit(ports),
    apiKeys: createApiKeys(ports),
    sessions: createSessions(ports),
    pairings: createPairings(ports),
    describeProblem: async () => {
      const problem = ports.inspector.problem();
      return problem === null ? null : (await describeProblem(problem, ports.newestBackup)).message;
    },
    errors,
    historyDays,
    status: createStatus(ports, { indexing, plugins: pluginUseCases.plugins, backups, errors }),
    statistics: createStatistics(ports),
    backups,
    changes: ports.changes,
    scrub: createScrub(ports),
    checkStructure: ports.integrity.checkStructure,
    ...pluginUseCases,
  };
}
