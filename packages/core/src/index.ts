export { createApiKey, formatApiKey, isApiKey, prefixOf } from './access/api-key-format.js';
export { type ApiKeyRequest, type ApiKeys, createApiKeys } from './access/api-keys.js';
export { type Challenges, createChallenges } from './access/challenges.js';
export { createIdentities, type Identities, type Identity } from './access/identities.js';
export { createInvitations, type Invitations, type NewPasskey } from './access/invitations.js';
export type { KeyHolder } from './access/key-holder.js';
export { createPairings, type Pairings } from './access/pairings.js';
export { createSessions, type SessionHolder, type Sessions } from './access/sessions.js';
export { type BackupPorts, type Backups, createBackups } from './backups/backups.js';
export { describeBackup } from './backups/describe-backup.js';
export {
  type CaptureOptions,
  type CaptureOutcome,
  type CapturePorts,
  type CaptureUseCase,
  createCapture,
  type EmbeddingState,
} from './capture/capture.js';
export { estimateTokens } from './chunking/estimate-tokens.js';
export { type Core, type CoreOptions, createCore } from './create-core.js';
export { mergeComments } from './drafts/comments.js';
export { isOtherFile } from './drafts/duplicates.js';
export { mergeMetadata, mergeNotes, mergeTags } from './drafts/merge-capture.js';
export { prefixPointers } from './drafts/prefix-pointers.js';
export { type FileFacts, readFile as readTextFile } from './drafts/read-file.js';
export { LeaseLostError, RecollectError, TextRejectedError } from './error.js';
export { type LinkReader, linksWithoutPage } from './fetching/find-links.js';
export type { PageFetches } from './fetching/page-fetches.js';
export { type PageWriter, type SettledLink, settleLink } from './fetching/save-page.js';
export { describeProblem } from './health/describe-problem.js';
export { createErrorRecorder, type ErrorRecorder, type Failure } from './health/error-recorder.js';
export { type ExamineOptions, examine } from './health/examine.js';
export { type DoctorReport, type Finding, failure, ok, reportOf, warning } from './health/finding.js';
export type { ScrubReport, ScrubUseCase } from './health/scrub.js';
export type { StatusUseCase } from './health/status.js';
export { createHighlights, type Highlights } from './highlights/highlights.js';
export { createIndexing, type Indexing, type IndexingPorts } from './indexing/reindex.js';
export { type BulkChanges, type BulkPorts, createBulkChanges } from './memories/bulk-changes.js';
export type { ChangeRuns, WatchOptions } from './memories/change-runs.js';
export type { EditOptions, MemoryEdit } from './memories/edit-memory.js';
export { createMemories, type Memories, type MemoriesPorts } from './memories/memories.js';
export { linkKeysIn, nameKeyOf } from './memories/note-links.js';
export { createTrash, type Trash } from './memories/trash.js';
export * from './memory.js';
export { createModels, type Models } from './models.js';
export { type CoreOperationId, createOperations, type Operations } from './operations/create-operations.js';
export type { OperationCall, OperationHandler, Reply } from './operations/operation-call.js';
export { type Audit, createAudit } from './people/audit.js';
export {
  createPeople,
  type NewPerson,
  NO_QUOTA,
  type People,
  type PersonChange,
  type Receipt,
} from './people/people.js';
export type { Picture, PictureKind, Pictures } from './pictures/read-pictures.js';
export { toImage } from './pictures/read-pictures.js';
export * from './plugin.js';
export { createPluginUseCases, type PluginPorts, type PluginUseCases } from './plugins/create-plugin-use-cases.js';
export type { DeliverOptions, Events } from './plugins/deliver-events.js';
export type { Jobs } from './plugins/jobs.js';
export type { InstallOptions, Plugins } from './plugins/plugins.js';
export type { CorePorts, StorePorts } from './ports/core-ports.js';
export * from './ports/index.js';
export { readFilter } from './retrieval/parse-query.js';
export {
  createQuery,
  type QueryOptions,
  type QueryOutcome,
  type QueryPorts,
  type QueryUseCase,
} from './retrieval/query.js';
export { knownWords } from './retrieval/spelling/known-words.js';
export { createShared, type Shared } from './sharing/read-shared.js';
export { createShares, type Recipient, type Shares } from './sharing/shares.js';
export { createId } from './text/create-id.js';
export { normaliseText } from './text/normalise-text.js';
export { isComments, isNumbers, isObject, isTextByName, isTexts, readJson } from './text/readable-json.js';
export { urlKey } from './text/url-key.js';
export { createImportPreviews, createImports, type Imports } from './transfer/imports.js';
export type { ExportOptions } from './transfer/records.js';
export { createRecords, type Records } from './transfer/records.js';
export { type SalvagedRecord, toSalvagedRecord } from './transfer/salvaged-record.js';
export type { ImportFileOptions, ImportOptions, ImportSelection } from './transfer/selection.js';
export { type ModelTrial, type TrialOptions, tryModel } from './try-model.js';
