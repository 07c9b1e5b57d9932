import Type, { type Static, type TSchema } from 'typebox';
import { ApiKeyAnswer, ApiKeyBody, ApiKeyList, ApiKeyParameters } from './api-key.js';
import { CaptureAnswer, CaptureBody, captureBodyShape } from './capture.js';
import { PackageParameters, SetupAnswer } from './extension.js';
import { HealthAnswer } from './health.js';
import { McpAnswer, McpMessage } from './mcp.js';
import {
  ListAnswer,
  ListParameters,
  LookupAnswer,
  LookupBody,
  MemoryDetail,
  MemoryParameters,
  MemoryPatch,
} from './memory.js';
import type { Operation } from './operation.js';
import {
  PluginActionBody,
  PluginAnswer,
  PluginList,
  pluginActionScope,
  pluginActionShape,
  RunDueAnswer,
  RunDueBody,
  RunJobAnswer,
  RunsAnswer,
  RunsParameters,
  RunsQuery,
  ScheduleAnswer,
  UninstallAnswer,
} from './plugin.js';
import { QueryAnswer, QueryBody, QueryParameters } from './query.js';
import { QueuedAnswer, ReindexAnswer, ReindexBody, ReindexState } from './reindex.js';
import { routes } from './routes.js';
import type { Loose } from './schema.js';

const PageParameters = Type.Object({ page: Type.String() });

/** The table of operations. The server's routes, the OpenAPI document and the docs page are generated from it. */
export const operations = {
  capture: {
    ...routes.capture,
    scope: 'capture:write',
    summary: 'Saves pages, selections, conversations or notes as memories.',
    body: CaptureBody,
    bodyShape: captureBodyShape,
    budget: 'capture',
    headers: { 'idempotency-key': 'Makes retries safe: for 30 days, the same key and body return the first response.' },
    responseHeaders: {
      'idempotency-replayed': 'true if this is the response to an earlier request with the same key.',
    },
    answers: { 200: CaptureAnswer },
    problems: [
      'CAPTURE_EMPTY',
      'VALIDATION_FAILED',
      'EXTRACTION_FAILED',
      'IDEMPOTENCY_MISMATCH',
      'EMBEDDING_FAILED',
      'IMPORT_FAILED',
    ],
  },
  query: {
    ...routes.query,
    scope: 'memory:read',
    summary: 'Searches memories by meaning and by word.',
    body: QueryBody,
    budget: 'query',
    responseHeaders: { 'recollect-retrieval': 'hybrid, or text if the query could not be embedded.' },
    answers: { 200: QueryAnswer },
    problems: ['QUERY_EMPTY', 'VALIDATION_FAILED', 'RETRIEVAL_FAILED'],
  },
  queryByGet: {
    ...routes.queryByGet,
    scope: 'memory:read',
    summary: 'Searches memories, for clients that can only send GET requests.',
    query: QueryParameters,
    budget: 'query',
    responseHeaders: { 'recollect-retrieval': 'hybrid, or text if the query could not be embedded.' },
    answers: { 200: QueryAnswer },
    problems: ['QUERY_EMPTY', 'VALIDATION_FAILED', 'RETRIEVAL_FAILED'],
  },
  listMemories: {
    ...routes.listMemories,
    scope: 'memory:read',
    summary: 'Returns a list of memories, newest first.',
    query: ListParameters,
    answers: { 200: ListAnswer },
    problems: ['VALIDATION_FAILED'],
  },
  lookupMemories: {
    ...routes.lookupMemories,
    scope: 'memory:read',
    summary: 'Checks which of the given URLs are already saved.',
    body: LookupBody,
    answers: { 200: LookupAnswer },
    problems: ['VALIDATION_FAILED'],
  },
  getMemory: {
    ...routes.getMemory,
    scope: 'memory:read',
    summary: 'Retrieves a memory with its full text.',
    parameters: MemoryParameters,
    answers: { 200: MemoryDetail },
    problems: ['NOT_FOUND'],
  },
  updateMemory: {
    ...routes.updateMemory,
    scope: 'memory:write',
    summary: 'Updates the title, tags or note of a memory.',
    parameters: MemoryParameters,
    body: MemoryPatch,
    answers: { 200: MemoryDetail },
    problems: ['VALIDATION_FAILED', 'NOT_FOUND'],
  },
  deleteMemory: {
    ...routes.deleteMemory,
    scope: 'memory:write',
    summary: 'Moves a memory to the trash. It is permanently deleted after 30 days.',
    parameters: MemoryParameters,
    answers: { 204: null },
    problems: ['NOT_FOUND'],
  },
  restoreMemory: {
    ...routes.restoreMemory,
    scope: 'memory:write',
    summary: 'Restores a memory from the trash.',
    parameters: MemoryParameters,
    answers: { 200: MemoryDetail },
    problems: ['NOT_FOUND', 'MEMORY_DUPLICATE'],
  },
  reindexState: {
    ...routes.reindexState,
    scope: 'index:run',
    summary: 'Returns how many memories have embeddings of the current model.',
    answers: { 200: ReindexState },
    problems: [],
  },
  reindex: {
    ...routes.reindex,
    scope: 'index:run',
    summary: 'Embeds one batch of memories now, or queues the work.',
    body: ReindexBody,
    answers: { 200: ReindexAnswer, 202: QueuedAnswer },
    problems: ['VALIDATION_FAILED'],
  },
  listPlugins: {
    ...routes.listPlugins,
    scope: 'jobs:run',
    summary: 'Returns the installed and the shipped plugins, with their jobs and schedules.',
    answers: { 200: PluginList },
    problems: [],
  },
  pluginAction: {
    ...routes.pluginAction,
    scope: 'jobs:run',
    scopeFor: pluginActionScope,
    summary: 'Runs or schedules a job, or installs, uninstalls, enables, disables or configures a plugin.',
    body: PluginActionBody,
    bodyShape: pluginActionShape,
    answers: { 200: Type.Union([RunJobAnswer, ScheduleAnswer, PluginAnswer, UninstallAnswer]), 201: PluginAnswer },
    problems: [
      'ACTION_UNKNOWN',
      'VALIDATION_FAILED',
      'PLUGIN_INVALID',
      'OWNER_ONLY',
      'NOT_FOUND',
      'PLUGIN_INSTALLED',
      'PLUGIN_NOT_INSTALLED',
      'PLUGIN_DISABLED',
      'PLUGIN_SUSPENDED',
      'PERMISSION_NEEDED',
      'JOB_RUNNING',
    ],
  },
  pluginRuns: {
    ...routes.pluginRuns,
    scope: 'jobs:run',
    summary: 'Returns the latest job runs of a plugin, newest first.',
    parameters: RunsParameters,
    query: RunsQuery,
    answers: { 200: RunsAnswer },
    problems: ['VALIDATION_FAILED', 'NOT_FOUND', 'PLUGIN_NOT_INSTALLED'],
  },
  runDueJobs: {
    ...routes.runDueJobs,
    scope: 'jobs:run',
    summary: 'Runs the scheduled jobs that are due.',
    body: RunDueBody,
    answers: { 200: RunDueAnswer },
    problems: ['VALIDATION_FAILED'],
  },
  createApiKey: {
    ...routes.createApiKey,
    scope: 'admin',
    summary: 'Creates an API key. Only this response contains the key itself.',
    body: ApiKeyBody,
    answers: { 201: ApiKeyAnswer },
    problems: ['VALIDATION_FAILED'],
  },
  listApiKeys: {
    ...routes.listApiKeys,
    scope: 'admin',
    summary: 'Returns a list of API keys without their secrets, newest first.',
    answers: { 200: ApiKeyList },
    problems: [],
  },
  revokeApiKey: {
    ...routes.revokeApiKey,
    scope: 'admin',
    summary: 'Revokes an API key. The next request with it is rejected.',
    parameters: ApiKeyParameters,
    answers: { 204: null },
    problems: ['NOT_FOUND'],
  },
  extensionSetup: {
    ...routes.extensionSetup,
    scope: 'public',
    summary: 'Returns the URLs, authentication mode and capabilities that a browser extension needs.',
    answers: { 200: SetupAnswer },
    problems: [],
  },
  extensionPackage: {
    ...routes.extensionPackage,
    scope: 'public',
    summary: 'Returns the browser extension for this deployment as a ZIP file.',
    query: PackageParameters,
    produces: 'application/zip',
    responseHeaders: { 'content-disposition': 'attachment, with the file name.' },
    answers: { 200: Type.Unsafe<Uint8Array>(Type.String({ format: 'binary' })) },
    problems: ['VALIDATION_FAILED'],
  },
  mcp: {
    ...routes.mcp,
    scope: 'any',
    summary: 'Handles one message of the Model Context Protocol (Streamable HTTP), for assistants.',
    body: McpMessage,
    budget: 'mcp',
    headers: {
      'mcp-protocol-version': 'The negotiated protocol revision. Send it with every message after initialize.',
      'mcp-session-id': 'The id from the response to initialize. It identifies the client and holds no state.',
      'mcp-method': 'The method. Sent since revision 2026-07-28.',
      'mcp-name': 'The name of the tool, prompt or resource. Sent since revision 2026-07-28.',
    },
    responseHeaders: { 'mcp-session-id': 'Set on the response to initialize. Send it with the messages that follow.' },
    answers: { 200: McpAnswer, 202: null, 400: McpAnswer, 404: McpAnswer },
    problems: ['VALIDATION_FAILED', 'NOT_FOUND'],
  },
  savePage: {
    ...routes.savePage,
    scope: 'public',
    summary: 'Returns the page that the bookmarklet opens. The capture is in the URL fragment, which is not sent.',
    produces: 'text/html',
    allowsCrossSiteNavigation: true,
    answers: { 200: Type.String() },
    problems: [],
  },
  health: {
    ...routes.health,
    scope: 'public',
    summary: 'Returns whether the server is ready.',
    answers: { 200: HealthAnswer },
    problems: ['UNAVAILABLE'],
  },
  openapi: {
    ...routes.openapi,
    scope: 'public',
    summary: 'Returns this interface as an OpenAPI 3.1 document.',
    answers: { 200: Type.Record(Type.String(), Type.Unknown()) },
    problems: [],
  },
  docs: {
    ...routes.docs,
    scope: 'public',
    summary: 'Returns the overview page of the documentation.',
    produces: 'text/html',
    answers: { 200: Type.String() },
    problems: [],
  },
  docsPage: {
    ...routes.docsPage,
    scope: 'public',
    summary: 'Returns one page of the documentation.',
    parameters: PageParameters,
    produces: 'text/html',
    answers: { 200: Type.String() },
    problems: ['NOT_FOUND'],
  },
  gettingStarted: {
    ...routes.gettingStarted,
    scope: 'public',
    summary: 'Returns one page of the getting-started guides.',
    parameters: PageParameters,
    produces: 'text/html',
    answers: { 200: Type.String() },
    problems: ['NOT_FOUND'],
  },
  home: {
    ...routes.home,
    scope: 'public',
    summary: 'Redirects to the documentation.',
    answers: { 302: null },
    problems: [],
  },
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;
type Part<Id extends OperationId, Key extends string> =
  (typeof operations)[Id] extends Record<Key, infer S extends TSchema> ? Loose<Static<S>> : undefined;

export type ScopeOf<Id extends OperationId> = (typeof operations)[Id]['scope'];
export type BodyOf<Id extends OperationId> = Part<Id, 'body'>;
export type QueryOf<Id extends OperationId> = Part<Id, 'query'>;
export type ParametersOf<Id extends OperationId> = Part<Id, 'parameters'>;

type AnswerSchemas<Id extends OperationId> = (typeof operations)[Id]['answers'];
/** The body of any successful response; undefined if it is empty. */
export type ResponseOf<Id extends OperationId> = {
  [Status in keyof AnswerSchemas<Id>]: AnswerSchemas<Id>[Status] extends infer S extends TSchema
    ? Static<S>
    : undefined;
}[keyof AnswerSchemas<Id>];
