import { randomUUID } from 'node:crypto';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { limits, problems } from '@recollect/contract';
import { type Core, createOperations } from '@recollect/core';
import { fastify, LogController } from 'fastify';
import { type AccessPolicy, basePath } from './access-policy.js';
import { startBackground } from './background.js';
import { withoutBasePath } from './base-path.js';
import type { App } from './bind-operation.js';
import { type CaptureActivity, createCaptureActivity } from './capture-activity.js';
import { addClientErrors } from './client-error.js';
import { addGate, type IsPlugin } from './gate/gate.js';
import { listen } from './listen.js';
import type { Metrics } from './metrics/metrics.js';
import { type OpenRequests, trackOpenRequests } from './open-requests.js';
import { parseJson } from './parse-json.js';
import { sendProblem, toRecollectError } from './problem.js';
import { createReportError, type ReportError } from './report-error.js';
import { limitRequestTime } from './request-time.js';
import { backupRoutes } from './routes/backups.js';
import { coreRoutes } from './routes/core.js';
import { docsRoutes } from './routes/docs.js';
import { eventRoutes } from './routes/events.js';
import { extensionRoutes } from './routes/extension.js';
import { healthRoutes, metricsRoutes, serverProofRoutes } from './routes/health.js';
import { mcpRoutes } from './routes/mcp.js';
import { pairingRoutes } from './routes/pairings.js';
import { peopleRoutes } from './routes/people.js';
import { pictureRoutes } from './routes/pictures.js';
import { runDueRoutes } from './routes/run-due.js';
import { sessionRoutes } from './routes/sessions.js';
import { shareRoutes } from './routes/shares.js';
import { signInRoutes } from './routes/sign-in.js';
import { transferRoutes } from './routes/transfer.js';
import { webRoutes } from './routes/web.js';
import { removeAbandonedSpools } from './spool-file.js';
import { trustedPeers } from './trusted-peers.js';

const DAY = 24 * 60 * 60_000;
/** Milliseconds between two looks. */
const PACE = 2_000;

/**
 * Reports when the wall clock jumps by a day or more while the server runs, which a comparison with the machine's
 * monotonic clock shows. A machine that slept looks the same, since its monotonic clock may have stood still.
 *
 * @returns a function that ends this
 */
function watchClock(warn: (sentence: string) => void): () => void {
  const difference = () => Date.now() - performance.now();
  let offset = difference();
  const timer = setInterval(() => {
    const jump = difference() - offset;
    offset += jump;
    const days = Math.round(Math.abs(jump) / DAY);
    if (days === 0) return;
    const direction = jump > 0 ? 'forward' : 'back';
    warn(
      `The clock jumped ${direction} by ${days} days: it was set, or the machine slept. Retention counts at most one of them.`,
    );
  }, PACE).unref();
  return () => clearInterval(timer);
}

export interface ServerOptions {
  core: Core;
  policy: AccessPolicy;
  version: string;
  /** Throws if the store is unusable. */
  check: () => Promise<void>;
  /** Throws if this process or its machine is the cause of that. By default it always is. */
  checkHere?: (() => Promise<void>) | undefined;
  /** Whether this process runs indexing, scheduled jobs and events. Otherwise cron does. */
  runners: boolean;
  /** Hosts on which the extension recognizes pages of OpenClaw, with or without a port. */
  openclawHosts: readonly string[];
  /** Whether /api/mcp is served. Otherwise it returns 404. */
  mcp: boolean;
  /** The secret of `server.json`, by which commands of the owner are recognised (SEC-18). None by default. */
  ownerSecret?: string | undefined;
  /** Whether the process of a plugin is the client of a connection over loopback (SEC-14). By default none is. */
  isPlugin?: IsPlugin | undefined;
  /** Whether /metrics is served. Otherwise it returns 404, and nothing is counted. */
  metrics: boolean;
}

export interface RunningServer {
  /** Base address, such as `http://127.0.0.1:4545`, or `unix:` and the path of the socket. */
  address: string;
  /** 0 for a Unix socket. */
  port: number;
  /** With the address of the socket that systemd has opened. */
  policy: AccessPolicy;
  /** Lets running requests finish, for at most ten seconds, and stops the background work. */
  close(): Promise<void>;
}

/** Milliseconds. */
const TIMEOUTS = { headers: 10_000, request: 30_000, idle: 5_000, close: 10_000 };
const MAX_CONNECTIONS = 256;

/** Serves core over HTTP. Throws if the port is in use, and {@link ExposedSocketError}. */
export async function startServer(options: ServerOptions & { port: number }): Promise<RunningServer> {
  const { port, runners } = options;
  // A socket of systemd shows its address only when it is opened.
  const policy = { ...options.policy };
  // Loaded only if it is used, since it starts to measure the process.
  const metrics = options.metrics ? (await import('./metrics/metrics.js')).createMetrics(options.core) : null;
  const core = metrics?.core ?? options.core;
  const activity = createCaptureActivity();
  const stopping = new AbortController();
  const { app, openRequests, report } = createApp(
    { ...options, policy, core },
    { activity, stopping: stopping.signal, metrics },
  );
  const listening = await listen(app, policy, port);
  void removeAbandonedSpools();
  const background = startBackground(core, {
    runs: runners,
    activity,
    report,
    // The framework's warnings contain URLs with search texts (SEC-15), so only errors are logged.
    warn: (sentence) => app.log.error(sentence),
  });
  const endClockWatch = watchClock((sentence) => app.log.error(sentence));
  return {
    ...listening,
    policy,
    async close() {
      const late = setTimeout(() => app.server.closeAllConnections(), TIMEOUTS.close).unref();
      stopping.abort();
      endClockWatch();
      const closed = app.close();
      openRequests.closeIdle();
      await Promise.all([closed, background.stop(), core.changeRuns.stop(), core.fetches.stop()]);
      await core.errors.flush();
      clearTimeout(late);
    },
  };
}

/**
 * Operations validate their own input, and answers are written by JSON.stringify. Without these, every start loads two
 * compilers of schemas, which takes 0.06 seconds of a processor.
 */
function noCompiler(): () => never {
  return () => {
    throw new Error('A route has a schema, but no compiler for it.');
  };
}

function createApp(
  { core, policy, version, check, checkHere = check, openclawHosts, mcp, ownerSecret, isPlugin }: ServerOptions,
  { activity, stopping, metrics }: { activity: CaptureActivity; stopping: AbortSignal; metrics: Metrics | null },
): { app: App; openRequests: OpenRequests; report: ReportError } {
  const base = basePath(policy);
  const app = fastify({
    logger: { level: 'error', stream: process.stderr },
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.body.bytes,
    rewriteUrl: ({ url = '/' }) => currentAddress(withoutBasePath(url, base)),
    // Limited below, with an exception for imports.
    requestTimeout: 0,
    keepAliveTimeout: TIMEOUTS.idle,
    trustProxy: trustedPeers(policy),
    forceCloseConnections: 'idle',
    // While the server closes, the gate responds with a problem document.
    return503OnClosing: false,
    // Longer than any header may be, so that an id of any length is simply unknown.
    routerOptions: { maxParamLength: 32_768 },
    genReqId: () => randomUUID(),
    // Our own is added below, where it can see the open requests of a connection.
    clientErrorHandler: () => {},
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    // For a missing Host, the gate responds with a problem document.
    http: { requireHostHeader: false, headersTimeout: TIMEOUTS.headers, connectionsCheckingInterval: 1_000 },
    // A path that cannot be decoded reaches no hook, but its sender must still pass the gate.
    frameworkErrors: (error, request, reply) => {
      admit(request, reply, toRecollectError(error)).catch((refusal) =>
        sendProblem(request, reply, toRecollectError(refusal)),
      );
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.server.maxConnections = MAX_CONNECTIONS;
  const report = createReportError(app.log, core.errors);
  const requestTime = limitRequestTime(app.server, TIMEOUTS.request);
  const openRequests = trackOpenRequests(app.server);
  addClientErrors(app.server, openRequests);

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) =>
    body.length === 0 ? null : parseJson(body),
  );
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
  );
  const admit = addGate(app, policy, core, { ownerSecret, isPlugin });
  metrics?.addTo(app);
  app.setErrorHandler((error, request, reply) => {
    const recollectError = toRecollectError(error);
    const { operationId = 'none' } = request.routeOptions.config;
    // Requests record it, and a probe asks every few seconds.
    const isKnown = ['health', 'ready'].includes(operationId) && recollectError.code !== 'INTERNAL';
    // Work that a stop of the server ends is not an error.
    const isStopped = stopping.aborted && recollectError.code === 'UNAVAILABLE';
    if (problems[recollectError.code].status >= 500 && !isKnown && !isStopped)
      report(operationId, recollectError, request);
    // With a closed connection, a client that is still sending would not get to read the answer. What it sends is not
    // kept.
    if (recollectError.code === 'PAYLOAD_TOO_LARGE') reply.removeHeader('connection');
    return sendProblem(request, reply, recollectError);
  });

  coreRoutes(app, createOperations(core, { version, stopping }), activity);
  runDueRoutes(app, core, { stopping, report });
  transferRoutes(app, core, { version, stopping, requestTime, report, activity });
  backupRoutes(app, core);
  pictureRoutes(app, core);
  eventRoutes(app, core, stopping);
  sessionRoutes(app, core, policy.accounts);
  signInRoutes(app, core, policy.accounts);
  pairingRoutes(app, core);
  peopleRoutes(app, core);
  shareRoutes(app, core, { hasPages: policy.publicPages });
  extensionRoutes(app, { version, openclawHosts, mcp });
  if (mcp)
    mcpRoutes(app, async () => {
      const { createHttpHandler } = await import('@recollect/mcp');
      return createHttpHandler({ core, version, report: (error) => report('mcp', error) });
    });
  if (metrics !== null) metricsRoutes(app, metrics);
  serverProofRoutes(app, policy, ownerSecret ?? null);
  healthRoutes(app, { check, checkHere }, version);
  docsRoutes(app, { version, mcp, base });
  webRoutes(app, base);
  return { app, openRequests, report };
}

/**
 * Returns the present address for a request. Scripts and bookmarks may still use the addresses of earlier versions.
 *
 * @example
 * currentAddress('/api/v1/import/file?name=a.zip'); // '/api/v1/import?name=a.zip'
 */
export function currentAddress(url: string): string {
  return url.replace(/^\/api\/v1\/import\/file(?=[/?]|$)/, '/api/v1/import');
}
