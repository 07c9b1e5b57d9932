import type { Operation } from '@recollect/contract';
import { type ApiKeys, RecollectError } from '@recollect/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccessPolicy } from '../access-policy.js';
import { answerUnknownRoute } from '../unknown-route.js';
import { type AllowList, createAllowList } from './allow-list.js';
import { checkContentType } from './check-content-type.js';
import { checkHost, checkHostName } from './check-host.js';
import { checkOrigin, notAllowed } from './check-origin.js';
import { checkScope } from './check-scope.js';
import { checkUrl } from './check-url.js';
import { type Identity, identify, isLocal } from './identify.js';
import { createRateLimits, noRateLimits } from './rate-limits.js';

/** What the gate found out about a request that it let in. */
export interface Admission {
  /** Null for a public operation that nobody had to stand behind. */
  identity: Identity | null;
  /** Origin that the deployment is served at, such as `http://127.0.0.1:4545` (EXT-2). */
  baseUrl: string;
  /** Whether the same request without credentials would have needed a key. */
  needsKey: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the gate on every request that reaches a handler. */
    admission: Admission | null;
  }
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

/**
 * The one place that decides who comes in, before anything of a request's body is read. The Host comes first: a page
 * under a rebound name sends no other header that would give it away.
 */
export function addGate(app: FastifyInstance, policy: AccessPolicy, apiKeys: ApiKeys): void {
  const rateLimits = policy.limitsRequests ? createRateLimits() : noRateLimits;
  let allowList: AllowList | null = null;
  let isClosing = false;
  app.decorateRequest('admission', null);
  app.addHook('onRoute', ({ path, config }) => {
    if (config?.operation === undefined) throw new Error(`${path} is no operation, so nobody would guard it.`);
  });
  app.addHook('preClose', async () => {
    isClosing = true;
  });

  app.addHook('onRequest', async (request, reply) => {
    const { raw } = request;
    setHeaders(reply);
    if (isClosing) {
      reply.header('connection', 'close');
      throw new RecollectError('UNAVAILABLE', 'The service is stopping. Try again in a moment.');
    }
    // The port is known once the server listens, and stays.
    allowList ??= createAllowList(policy, raw.socket.localPort ?? 0);
    checkHost(raw.rawHeaders, allowList);
    const served = servedOrigin(request, policy, allowList);
    const { sender, echo } = checkOrigin(raw.rawHeaders, allowList, served);
    if (echo !== null) reply.header('access-control-allow-origin', echo).header('vary', 'Origin');
    checkUrl(raw.url ?? '');
    if (echo !== null && raw.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
      return answerPreflight(reply);
    }

    const identity = await identify(raw, apiKeys, policy).catch((error) => {
      if (error instanceof RecollectError && error.code === 'API_KEY_INVALID') rateLimits.countFailure(request.ip);
      throw error;
    });
    const { operation } = request.routeOptions.config;
    const hasKey = identity !== null && identity.apiKeyId !== null;
    const isOpen = operation?.scope === 'public' && request.headers.origin === undefined;
    if (sender === 'stranger' && !hasKey && !isOpen) throw notAllowed();
    // Before the body is read: what is not there takes no body.
    if (request.is404 || operation === undefined) return answerUnknownRoute(request, reply);
    checkScope(identity, sender, operation.scope);
    checkContentType(request.method, request.headers['content-type'], request.headers['content-encoding']);
    rateLimits.countRequest(operation, { apiKeyId: identity?.apiKeyId ?? null, address: request.ip });
    request.admission = { identity, baseUrl: policy.publicUrl?.origin ?? served, needsKey: !isLocal(raw, policy) };
  });
}

/**
 * The origin that a request was sent to: its Host, or what a trusted proxy says that it was asked for, which is held to
 * the same list, since a proxy may pass on what its client made up.
 */
function servedOrigin(request: FastifyRequest, { trustedProxies }: AccessPolicy, list: AllowList): string {
  if (trustedProxies.length === 0) return `http://${request.headers.host}`;
  const { host, protocol } = request;
  checkHostName(host, list);
  return `${protocol === 'https' ? 'https' : 'http'}://${host}`;
}

function answerPreflight(reply: FastifyReply): FastifyReply {
  return reply
    .code(204)
    .header('access-control-allow-methods', 'GET, POST, PATCH, DELETE')
    .header('access-control-allow-headers', 'authorization, content-type, idempotency-key')
    .header('access-control-max-age', '600')
    .send();
}

/** Nothing that is answered may be kept, framed, sniffed or read by another site; pages loosen the policy for themselves. */
function setHeaders(reply: FastifyReply): void {
  reply.headers({
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
}
