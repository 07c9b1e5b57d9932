import type { Core } from '@recollect/core';
import { Counter, type Registry } from 'prom-client';

/** Counts captures and queries over HTTP and by assistants. What a plugin saves or searches is not counted. */
export function observeCore(registry: Registry, core: Core): Core {
  const registers = [registry];
  const captures = new Counter({
    name: 'recollect_captures_total',
    help: 'Captures that were saved, by whether they made a memory, extended one, or were saved already.',
    labelNames: ['status'],
    registers,
  });
  const queries = new Counter({
    name: 'recollect_queries_total',
    help: 'Answered queries, by whether full text alone or embeddings too were searched.',
    labelNames: ['retrieval'],
    registers,
  });
  return {
    ...core,
    async capture(...call) {
      const outcome = await core.capture(...call);
      if (!outcome.replayed) for (const { status } of outcome.answer.captures) captures.inc({ status });
      return outcome;
    },
    async query(...call) {
      const outcome = await core.query(...call);
      queries.inc({ retrieval: outcome.retrieval });
      return outcome;
    },
  };
}
