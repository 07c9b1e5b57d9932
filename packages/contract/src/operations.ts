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

/** The table of operations. The server's routes, the OpenAPI document and the docs page are all made from it. */
export const operations = {
  capture: {
    ...routes.capture,
    scope: 'capture:write',
    summary: 'Save pages, selections, conversations or notes as memories.',
    body: CaptureBody,
    bodyShape: captureBodyShape,
    budget: 'capture',
    headers: { 'idempotency-key': 'A retry with the same key and body gets the first answer, for 30 days.' },
    answerHeaders: { 'idempotency-replayed': 'true, when the answer is that of an earlier request with the same key.' },
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
    summary: 'Find memories by meaning or by word.',
    body: QueryBody,
    budget: 'query',
    answerHeaders: { 'recollect-retrieval': 'hybrid, or text where no embedding of the query could be had.' },
    answers: { 200: QueryAnswer },
    problems: ['QUERY_EMPTY', 'VALIDATION_FAILED', 'RETRIEVAL_FAILED'],
  },
  queryByGet: {
    ...routes.queryByGet,
    scope: 'memory:read',
    summary: 'The same search for clients that can only GET.',
    query: QueryParameters,
    budget: 'query',
    answerHeaders: { 'recollect-retrieval': 'hybrid, or text where no embedding of the query could be had.' },
    answers: { 200: QueryAnswer },
    problems: ['QUERY_EMPTY', 'VALIDATION_FAILED', 'RETRIEVAL_FAILED'],
  },
  listMemories: {
    ...routes.listMemories,
    scope: 'memory:read',
    summary: 'List memories, newest first.',
    query: ListParameters,
    answers: { 200: ListAnswer },
    problems: ['VALIDATION_FAILED'],
  },
  lookupMemories: {
    ...routes.lookupMemories,
    scope: 'memory:read',
    summary: 'Tell which of these URLs are saved already.',
    body: LookupBody,
    answers: { 200: LookupAnswer },
    problems: ['VALIDATION_FAILED'],
  },
  getMemory: {
    ...routes.getMemory,
    scope: 'memory:read',
    summary: 'One memory with all of its text.',
    parameters: MemoryParameters,
    answers: { 200: MemoryDetail },
    problems: ['NOT_FOUND'],
  },
  updateMemory: {
    ...routes.updateMemory,
    scope: 'memory:write',
    summary: 'Change title, tags or note.',
    parameters: MemoryParameters,
    body: MemoryPatch,
    answers: { 200: MemoryDetail },
    problems: ['VALIDATION_FAILED', 'NOT_FOUND'],
  },
  deleteMemory: {
    ...routes.deleteMemory,
    scope: 'memory:write',
    summary: 'Move a memory to the trash, which is emptied after 30 days.',
    parameters: MemoryParameters,
    answers: { 204: null },
    problems: ['NOT_FOUND'],
  },
  restoreMemory: {
    ...routes.restoreMemory,
    scope: 'memory:write',
    summary: 'Take a memory out of the trash.',
    parameters: MemoryParameters,
    answers: { 200: MemoryDetail },
    problems: ['NOT_FOUND', 'MEMORY_DUPLICATE'],
  },
  reindexState: {
    ...routes.reindexState,
    scope: 'index:run',
    summary: 'How many memories have embeddings of the present model.',
    answers: { 200: ReindexState },
    problems: [],
  },
  reindex: {
    ...routes.reindex,
    scope: 'index:run',
    summary: 'Embed one batch of memories now, or queue the work.',
    body: ReindexBody,
    answers: { 200: ReindexAnswer, 202: QueuedAnswer },
    problems: ['VALIDATION_FAILED'],
  },
  listPlugins: {
    ...routes.listPlugins,
    scope: 'jobs:run',
    summary: 'List the plugins that are installed or that ship, with their jobs and schedules.',
    answers: { 200: PluginList },
    problems: [],
  },
  pluginAction: {
    ...routes.pluginAction,
    scope: 'jobs:run',
    scopeFor: pluginActionScope,
    summary: 'Run a job, schedule it, or install, uninstall, enable, disable or configure a plugin.',
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
    summary: 'The last runs of the jobs of a plugin, newest first.',
    parameters: RunsParameters,
    query: RunsQuery,
    answers: { 200: RunsAnswer },
    problems: ['VALIDATION_FAILED', 'NOT_FOUND', 'PLUGIN_NOT_INSTALLED'],
  },
  runDueJobs: {
    ...routes.runDueJobs,
    scope: 'jobs:run',
    summary: 'Run the scheduled jobs that are due.',
    body: RunDueBody,
    answers: { 200: RunDueAnswer },
    problems: ['VALIDATION_FAILED'],
  },
  createApiKey: {
    ...routes.createApiKey,
    scope: 'admin',
    summary: 'Make an API key. It is shown in this answer and never again.',
    body: ApiKeyBody,
    answers: { 201: ApiKeyAnswer },
    problems: ['VALIDATION_FAILED'],
  },
  listApiKeys: {
    ...routes.listApiKeys,
    scope: 'admin',
    summary: 'List the API keys, without their secrets, newest first.',
    answers: { 200: ApiKeyList },
    problems: [],
  },
  revokeApiKey: {
    ...routes.revokeApiKey,
    scope: 'admin',
    summary: 'Revoke an API key; the next request with it is refused.',
    parameters: ApiKeyParameters,
    answers: { 204: null },
    problems: ['NOT_FOUND'],
  },
  extensionSetup: {
    ...routes.extensionSetup,
    scope: 'public',
    summary: 'What a browser extension has to know of this deployment.',
    answers: { 200: SetupAnswer },
    problems: [],
  },
  extensionPackage: {
    ...routes.extensionPackage,
    scope: 'public',
    summary: 'The browser extension for this deployment, as a ZIP file.',
    query: PackageParameters,
    produces: 'application/zip',
    answerHeaders: { 'content-disposition': 'attachment, with the name of the file.' },
    answers: { 200: Type.Unsafe<Uint8Array>(Type.String({ format: 'binary' })) },
    problems: ['VALIDATION_FAILED'],
  },
  mcp: {
    ...routes.mcp,
    scope: 'any',
    summary: 'The Model Context Protocol, for assistants: one message of Streamable HTTP.',
    body: McpMessage,
    budget: 'mcp',
    headers: {
      'mcp-protocol-version': 'The revision that was agreed on; needed after initialize.',
      'mcp-session-id': 'What the answer to initialize gave. It says who the client is and holds no state.',
      'mcp-method': 'The method, from revision 2026-07-28 on.',
      'mcp-name': 'The name of the tool, prompt or resource, from revision 2026-07-28 on.',
    },
    answerHeaders: { 'mcp-session-id': 'On the answer to initialize, to be sent with what follows.' },
    answers: { 200: McpAnswer, 202: null, 400: McpAnswer, 404: McpAnswer },
    problems: ['VALIDATION_FAILED', 'NOT_FOUND'],
  },
  savePage: {
    ...routes.savePage,
    scope: 'public',
    summary: 'The page that the bookmarklet opens; the capture stands behind the # and is not sent.',
    produces: 'text/html',
    takesVisitors: true,
    answers: { 200: Type.String() },
    problems: [],
  },
  health: {
    ...routes.health,
    scope: 'public',
    summary: 'Whether the service can answer.',
    answers: { 200: HealthAnswer },
    problems: ['UNAVAILABLE'],
  },
  openapi: {
    ...routes.openapi,
    scope: 'public',
    summary: 'This interface as an OpenAPI 3.1 document.',
    answers: { 200: Type.Record(Type.String(), Type.Unknown()) },
    problems: [],
  },
  docs: {
    ...routes.docs,
    scope: 'public',
    summary: 'The documentation for people.',
    produces: 'text/html',
    answers: { 200: Type.String() },
    problems: [],
  },
  docsPage: {
    ...routes.docsPage,
    scope: 'public',
    summary: 'One page of the documentation.',
    parameters: PageParameters,
    produces: 'text/html',
    answers: { 200: Type.String() },
    problems: ['NOT_FOUND'],
  },
  gettingStarted: {
    ...routes.gettingStarted,
    scope: 'public',
    summary: 'One page on how to begin.',
    parameters: PageParameters,
    produces: 'text/html',
    answers: { 200: Type.String() },
    problems: ['NOT_FOUND'],
  },
  home: {
    ...routes.home,
    scope: 'public',
    summary: 'Leads to the documentation.',
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
/** The body of any successful answer; undefined where there is none. */
export type AnswerOf<Id extends OperationId> = {
  [Status in keyof AnswerSchemas<Id>]: AnswerSchemas<Id>[Status] extends infer S extends TSchema
    ? Static<S>
    : undefined;
}[keyof AnswerSchemas<Id>];
