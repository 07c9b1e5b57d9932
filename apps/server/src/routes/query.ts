import type { QueryAnswer } from '@recollect/contract';
import { type Core, readFilter } from '@recollect/core';
import type { FastifyReply } from 'fastify';
import { type App, bindOperation } from '../bind-operation.js';

export function queryRoutes(app: App, core: Core): void {
  const answer = async (
    reply: FastifyReply,
    userId: string,
    query: string,
    options: NonNullable<Parameters<Core['query']>[2]>,
  ): Promise<QueryAnswer> => {
    const outcome = await core.query(userId, query, options);
    reply.header('recollect-retrieval', outcome.retrieval);
    return outcome.answer;
  };

  bindOperation(app, 'query', ({ identity: { userId }, body, reply }) => {
    const { query, limit, ...fields } = body ?? {};
    return answer(reply, userId, query ?? '', { filter: readFilter(fields), limit: limit ?? undefined });
  });
  bindOperation(app, 'queryByGet', ({ identity: { userId }, query: { q, limit, ...fields }, reply }) =>
    answer(reply, userId, q ?? '', { filter: readFilter(fields), limit }),
  );
}
