import type { Operation } from '@recollect/contract';
import { RecollectError } from '@recollect/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendProblem } from './problem.js';

/** 405 with the methods that a known path takes, else 404 (SYS-3). `bound` are the operations that are served. */
export function answerUnknownRoute(
  request: FastifyRequest,
  reply: FastifyReply,
  bound: ReadonlySet<Operation>,
): FastifyReply {
  const [path = ''] = request.url.split('?');
  const routes = Array.from(bound, ({ method, path: own }) => ({
    method,
    path: own,
    pattern: new RegExp(`^${own.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`),
  }));
  // A path that is written out, such as memories/lookup, is itself and no id.
  const exact = routes.filter((route) => route.path === path);
  const methods = (exact.length > 0 ? exact : routes.filter(({ pattern }) => pattern.test(path))).map(
    ({ method }) => method,
  );
  if (methods.length === 0) {
    return sendProblem(
      request,
      reply,
      new RecollectError('NOT_FOUND', 'There is nothing at this path. /docs lists what there is.'),
    );
  }
  const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ');
  reply.header('allow', allowed);
  return sendProblem(request, reply, new RecollectError('METHOD_NOT_ALLOWED', `This path takes ${allowed}.`));
}
