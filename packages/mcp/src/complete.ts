import type { CompleteRequest, CompleteResult } from '@modelcontextprotocol/server';
import { limits } from '@recollect/contract/limits';
import { inertLine } from './quoting/inert-text.js';
import type { Session } from './session.js';

/** Completes an argument that a user types: ids for the template of memories, the user's own tags for a topic. */
export async function complete({ core, caller }: Session, params: CompleteRequest['params']): Promise<CompleteResult> {
  const { ref, argument } = params;
  const kind =
    ref.type === 'ref/resource'
      ? ref.uri === 'memory://{id}' && argument.name === 'id' && 'id'
      : ref.name === 'recall' && argument.name === 'topic' && 'tag';
  if (!kind) return { completion: { values: [] } };
  const { completions: most, titleLength } = limits.mcp;
  const found = await core.memories.complete(caller.userId, kind, argument.value, most + 1);
  const values = found.slice(0, most).map((value) => inertLine(value, titleLength));
  return { completion: { values, hasMore: found.length > most } };
}
