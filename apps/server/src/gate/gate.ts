import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Actor, type Operation, type OperationId, operations, type Scope } from '@recollect/contract';
import { type ApiKeys, LOCAL_USER, RecollectError, type Sessions } from '@recollect/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AccessPolicy, basePath, isHost, publicBaseUrl, trustsPeers, unixPathOf } from '../access-policy.js';
import { answerUnknownRoute, isTakenForId } from '../unknown-route.js';

import {
  type AllowList,
  checkOrigin,
  createAllowList,
  hasOwnOrigin,
  type Origin,
  originNotAllowed,
  type Sender,
} from './check-origin.js';
import { checkContentType, checkScope, checkUrl } from './check-request.js';

import { type CookieScope, type Identity, identify, isLocal, readSessionCookie } from './identify.js';
import { createRateLimits, noRateLimits } from './rate-limits.js';
import { valuesOf } from './raw-header.js';

/** Marks requests of the web app. */
const PAGE_HEADER = 'recollect-page';

/** The gate's findings about an admitted request. */
export interface RequestContext {
  /** Null for a request without an identity to a public operation. */
  identity: Identity | null;
  /** Base URL of the deployment, such as `http://127.0.0.1:4545` or `https://host.example/recollect` (EXT-2). */
  baseUrl: string;
  /** Whether the same request would need a key if it had no credentials. */
  needsKey: boolean;
  /** The actor of the request, for the history of its changes. */
  actor: Actor;
  /** Whether a page of this deployment sent it: its Origin says so. */
  hasOwnOrigin: boolean;
  /** The origin of that page. Null if there is none. */
  ownOrigin: string | null;
  /**
   * The token in the cookie of the web app, even when the request authenticates another way. Null unless the cookie may
   * be used (SEC-19).
   */
  sessionToken: string | null;
  /** Where browsers send that cookie. */
  cookieScope: CookieScope;
  /** Whether it is a navigation that another site, a bookmark or a typed address started. */
  isNavigation: boolean;
  /** Counts a failed authentication. Throws RATE_LIMITED if the address had too many (SEC-10). */
  countFailure(): void;
  /** Checks an additional scope that the body requires. Throws like the check of the operation's own scope. */
  requireScope(scope: Scope): void;
  /** Whether the same credentials would still admit the request: for responses that last. */
  isStillAdmitted(): Promise<boolean>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the gate on every request that reaches a handler. */
    admission: RequestContext | null;
  }
  interface FastifyContextConfig {
    operation?: Operation;
    operationId?: OperationId;
  }
}

/**
 * Admits a request and sets its `admission`, or throws the reason. `fault` is the router's error, which is reported
 * only to clients that the gate would admit.
 */
export type Admit = (
  request: FastifyRequest,
  reply: FastifyReply,
  fault?: RecollectError,
) => Promise<FastifyReply | undefined>;

/**
 * The only place that decides which requests are admitted, before their body is read. The Host is checked first: after
 * DNS rebinding, a page sends no other header that gives it away. Returns the check, for requests that the router
 * rejects before any hook.
 */
export function addGate(
  app: FastifyInstance,
  policy: AccessPolicy,
  access: { apiKeys: ApiKeys; sessions: Sessions },
  {
    ownerSecret = null,
    isPlugin = async () => false,
  }: { ownerSecret?: string | null | undefined; isPlugin?: IsPlugin | undefined } = {},
): Admit {
  const rateLimits = policy.limitsRequests ? createRateLimits() : noRateLimits;
  let allowList: AllowList | null = null;
  let isClosing = false;
  const base = basePath(policy);
  const bound = new Set<Operation>();
  const askOnce = rememberByConnection(isPlugin);
  app.decorateRequest('admission', null);
  app.addHook('onRoute', ({ path, config }) => {
    if (config?.operation === undefined) throw new Error(`${path} is not an operation, so no scope would protect it.`);
    bound.add(config.operation);
  });
  app.addHook('preClose', async () => {
    isClosing = true;
  });

  const admit: Admit = async (request, reply, fault) => {
    const { raw } = request;
    setSecurityHeaders(reply);
    if (isClosing) {
      reply.header('connection', 'close');
      throw new RecollectError('UNAVAILABLE', 'The service is stopping. Try again in a moment.');
    }
    // The port is known once the server listens, and does not change.
    allowList ??= createAllowList(policy, portOf(raw, policy));
    const origin = checkSender(request, policy, allowList, reply);
    const { sender, echo, served } = origin;
    if (echo !== null) reply.headers(corsHeaders(echo));
    checkUrl(raw.url ?? '');
    if (echo !== null && raw.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
      return answerPreflight(reply);
    }

    const needsKey = !isLocal(raw, policy) || (await askOnce(raw.socket));
    const baseUrl = publicBaseUrl(policy) ?? served;
    const cookieScope = { isSecure: isSecure(baseUrl), path: base };
    const isOwn = hasOwnOrigin(origin, served, policy.publicUrl);
    const sessionToken = mayUseSession(request, sender, isOwn) ? readSessionCookie(raw.rawHeaders, cookieScope) : null;
    const identifyAgain = () => identify(raw, access, { policy, needsKey, sessionToken, ownerSecret });
    const identity = await identifyAgain().catch((error) => {
      if (error instanceof RecollectError && error.code === 'API_KEY_INVALID') rateLimits.countFailure(request.ip);
      throw error;
    });
    const { operation } = request.routeOptions.config;
    const hasKey = identity !== null && identity.apiKeyId !== null;
    const isPublic =
      operation?.scope === 'public' && (request.headers.origin === undefined || operation.admitsExtensions === true);
    if (sender === 'stranger' && !hasKey && !isPublic) throw originNotAllowed();
    if (fault !== undefined) throw fault;
    // Before the body is read: an unknown route accepts none.
    if (request.is404 || operation === undefined || isTakenForId(request, operation, bound))
      return answerUnknownRoute(request, reply, bound, base);
    checkScope(identity, sender, operation.scope);
    checkContentType(request.method, request.headers, operation.consumes);
    // A command of the owner could open the store itself.
    if (identity?.isCommand !== true)
      rateLimits.countRequest(operation, {
        personId: identity === null || identity.userId === LOCAL_USER ? null : identity.userId,
        apiKeyId: identity?.apiKeyId ?? null,
        address: request.ip,
        capturesPerMinute: identity?.capturesPerMinute ?? null,
      });
    request.admission = {
      identity,
      baseUrl,
      needsKey,
      actor: actorOf(origin, identity),
      hasOwnOrigin: isOwn,
      ownOrigin: isOwn ? echo : null,
      sessionToken,
      cookieScope,
      isNavigation: sender === 'navigation',
      countFailure: () => rateLimits.countFailure(request.ip),
      requireScope: (scope) => checkScope(identity, sender, scope),
      isStillAdmitted: () =>
        identifyAgain().then(
          (caller) => caller !== null,
          (error) => !(error instanceof RecollectError && error.code === 'API_KEY_INVALID'),
        ),
    };
    return undefined;
  };
  app.addHook('onRequest', (request, reply) => admit(request, reply));
  return admit;
}

/** SEC-14: whether the process of a plugin opened a connection. It is never the local user. */
export type IsPlugin = (connection: { localPort: number; remotePort: number }) => Promise<boolean>;

/** Asks for each connection once: the process that opened it stays the same. */
function rememberByConnection(isPlugin: IsPlugin): (socket: Socket) => Promise<boolean> {
  const answers = new WeakMap<Socket, Promise<boolean>>();
  return (socket) => {
    const { localPort = 0, remotePort = 0 } = socket;
    const answer = answers.get(socket) ?? isPlugin({ localPort, remotePort });
    answers.set(socket, answer);
    return answer;
  };
}

/**
 * SEC-19: whether a session's cookie may identify a request. Browsers send it with navigations and, from pages of other
 * ports of this host, with requests that need no preflight. So changes need the deployment's own Origin; and reads need
 * the mark of the same origin, or, where browsers send no such mark, a header that other origins cannot add without a
 * preflight.
 */
function mayUseSession({ method, headers }: FastifyRequest, sender: Sender, isOwn: boolean): boolean {
  if (isOwn) return true;
  if (headers.origin !== undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  if (sender === 'own') return true;
  return (sender === 'program' || sender === 'unmarked') && headers[PAGE_HEADER] !== undefined;
}

/** Whether browsers keep cookies with `Secure` for this address. */
function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}

/** The port in the addresses of this server. At a Unix socket it is the default port, which nobody writes. */
function portOf({ socket }: IncomingMessage, { bind }: AccessPolicy): number {
  return unixPathOf(bind) === null ? (socket.localPort ?? 0) : 80;
}

/** Checks Host and Origin. A client that fails here is not worth keeping a connection for. */
function checkSender(request: FastifyRequest, policy: AccessPolicy, list: AllowList, reply: FastifyReply) {
  const { rawHeaders } = request.raw;
  try {
    checkHost(rawHeaders, list);
    const served = servedOrigin(request, policy, list);
    const allowsCrossSiteNavigation = request.routeOptions.config.operation?.allowsCrossSiteNavigation === true;
    return { ...checkOrigin(rawHeaders, list, served, allowsCrossSiteNavigation), served };
  } catch (error) {
    reply.header('connection', 'close');
    throw error;
  }
}

/**
 * The origin that a request was sent to: its Host, or the host that a trusted proxy reports. The latter must be on the
 * same list, since a proxy may forward what its client made up.
 */
function servedOrigin(request: FastifyRequest, policy: AccessPolicy, list: AllowList): string {
  if (!trustsPeers(policy)) return `http://${request.headers.host}`;
  const { host, protocol } = request;
  checkHostName(host, list);
  return `${protocol === 'https' ? 'https' : 'http'}://${host}`;
}

/**
 * Headers that a page of a listed origin may send: the credentials, the content type and the headers of the operations.
 */
const REQUEST_HEADERS = [
  'authorization',
  'content-type',
  ...new Set(Object.values<Operation>(operations).flatMap(({ headers = {} }) => Object.keys(headers))),
].join(', ');

/** SEC-4: a listed origin may read the response and our own headers. */
function corsHeaders(origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'idempotency-replayed, mcp-session-id, recollect-retrieval, retry-after',
    vary: 'Origin',
  };
}

function answerPreflight(reply: FastifyReply): FastifyReply {
  return reply
    .code(204)
    .header('access-control-allow-methods', 'GET, POST, PATCH, DELETE')
    .header('access-control-allow-headers', REQUEST_HEADERS)
    .header('access-control-max-age', '600')
    .send();
}

/** No response may be cached, framed, sniffed or read by another site. Pages relax the policy for themselves. */
function setSecurityHeaders(reply: FastifyReply): void {
  reply.headers({
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
}

/** The actor of a request, for the history of its changes. Only the key distinguishes plain HTTP clients. */
function actorOf({ sender, isExtension }: Origin, identity: Identity | null): Actor {
  if (identity?.isCommand === true) return { client: 'cli', name: null, key: null };
  const client = isExtension ? 'extension' : sender === 'own' ? 'web' : 'http';
  return { client, name: null, key: identity?.keyName ?? null };
}

/**
 * SEC-1: there must be exactly one Host header, well-formed and on the list. After DNS rebinding to 127.0.0.1, a page
 * still sends its own name here, and nothing else gives it away.
 */
export function checkHost(rawHeaders: readonly string[], list: AllowList): void {
  const hosts = valuesOf(rawHeaders, 'host');
  const [host] = hosts;
  if (host === undefined || hosts.length > 1) {
    throw new RecollectError('HOST_INVALID', 'Send exactly one Host header.');
  }
  checkHostName(host, list);
}

/** The same check for a host name that a trusted proxy reports. */
function checkHostName(host: string, list: AllowList): void {
  if (isHost(host) && list.hosts.has(host.toLowerCase())) return;
  throw new RecollectError(
    'HOST_NOT_ALLOWED',
    'The host name is not allowed. Use 127.0.0.1 or localhost with the port, or add the name to RECOLLECT_ALLOWED_HOSTS. Behind a proxy, set RECOLLECT_PUBLIC_URL, with its port unless it is the default.',
  );
}
