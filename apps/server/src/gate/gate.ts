import { RecollectError } from '@recollect/core';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { AccessPolicy } from '../access-policy.js';
import { answerUnknownRoute } from '../unknown-route.js';
import { checkContentType } from './check-content-type.js';
import { checkHost } from './check-host.js';
import { checkOrigin } from './check-origin.js';
import { authenticationRequired, type Identity, identify } from './identify.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null for requests that nobody had to stand behind. */
    identity: Identity | null;
  }
  interface FastifyContextConfig {
    /** Whether the route answers without an identity. */
    isPublic?: boolean;
  }
}

/**
 * The one place that decides who comes in, before anything of a request is read. The Host comes first: a page under a
 * rebound name sends no other header that would give it away.
 */
export function addGate(app: FastifyInstance, policy: AccessPolicy): void {
  app.decorateRequest('identity', null);
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onRequest', async (request, reply) => {
    const { raw } = request;
    const port = raw.socket.localPort ?? 0;
    setHeaders(reply);
    if (isClosing) {
      reply.header('connection', 'close');
      throw new RecollectError('UNAVAILABLE', 'The service is stopping. Try again in a moment.');
    }
    if (!raw.url?.startsWith('/')) {
      throw new RecollectError(
        'REQUEST_MALFORMED',
        'Send the path alone as the request target, beginning with a slash.',
      );
    }
    checkHost(raw.rawHeaders, port, policy);
    const origin = checkOrigin(raw.rawHeaders, port, policy);
    if (origin !== null) reply.header('access-control-allow-origin', origin).header('vary', 'Origin');
    if (origin !== null && raw.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
      return answerPreflight(reply);
    }
    request.identity = identify(raw, policy);
    // Before the body is read: what is not there takes no body.
    if (request.is404) return answerUnknownRoute(request, reply);
    checkContentType(request.method, request.headers['content-type'], request.headers['content-encoding']);
    if (request.identity === null && request.routeOptions.config.isPublic !== true) throw authenticationRequired();
  });
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
