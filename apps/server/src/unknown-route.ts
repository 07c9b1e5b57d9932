import type { Operation } from '@recollect/contract';
import { RecollectError } from '@recollect/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendProblem } from './problem.js';
import { sendMissingPage, wantsPage } from './web-page.js';

/** Whether a route takes for an id what is the literal path of other operations, which have other methods. */
export function isTakenForId(request: FastifyRequest, operation: Operation, bound: ReadonlySet<Operation>): boolean {
  if (!operation.path.includes('{')) return false;
  const [path = ''] = request.url.split('?');
  for (const other of bound) if (other.path === path) return true;
  return false;
}

/**
 * Responds with 405 and the allowed methods for a known path, else 404 (SYS-3), which browsers see as a page. `bound`
 * are the served operations, under the path `base`.
 */
export function answerUnknownRoute(
  request: FastifyRequest,
  reply: FastifyReply,
  bound: ReadonlySet<Operation>,
  base: string,
): FastifyReply {
  const [path = ''] = request.url.split('?');
  const routes = Array.from(bound, ({ method, path: routePath }) => ({
    method,
    path: routePath,
    pattern: new RegExp(`^${routePath.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`),
  }));
  // A literal path such as memories/lookup takes precedence over an id.
  const exact = routes.filter((route) => route.path === path);
  const methods = (exact.length > 0 ? exact : routes.filter(({ pattern }) => pattern.test(path))).map(
    ({ method }) => method,
  );
  if (methods.length === 0 && wantsPage(reply)) return sendMissingPage(reply, base);
  if (methods.length === 0) {
    return sendProblem(
      request,
      reply,
      new RecollectError('NOT_FOUND', `There is nothing at this path. See ${base}/docs/operations for all paths.`),
    );
  }
  const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ');
  reply.header('allow', allowed);
  return sendProblem(request, reply, new RecollectError('METHOD_NOT_ALLOWED', `This path allows ${allowed}.`));
}
