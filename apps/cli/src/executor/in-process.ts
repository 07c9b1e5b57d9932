import type { Operation } from '@recollect/contract';
import { createOperations, LOCAL_USER, type OperationCall, RecollectError } from '@recollect/core';
import { COMMAND_LINE } from '../command-line-actor.js';
import { openRecollect, type Recollect } from '../compose/open-recollect.js';
import type { Configuration } from '../config.js';
import { embedRest } from '../run-indexing.js';
import { version } from '../version.js';
import type { CallOperation, Executor } from './executor.js';
import { describeFault } from './through-server.js';

/** Does the work in this process, on the store. */
export async function openInProcess(configuration: Configuration): Promise<Executor> {
  const recollect = await openRecollect(configuration, 'command');
  return {
    call: callsOf(recollect),
    server: null,
    embed: async (options) => {
      if (recollect.embeddingModel !== null) await embedRest(recollect, options);
    },
    close: recollect.close,
  };
}

/** Calls operations on a store that is open in this process, as its owner's command line. */
export function callsOf(recollect: Pick<Recollect, 'core' | 'warmUp'>): CallOperation {
  const operations = createOperations(recollect.core, { version, stopping: new AbortController().signal });
  return async (id, input) => {
    const {
      body,
      query = {},
      parameters = {},
      headers = {},
    } = input as Partial<OperationCall<'updateMemory'>> & typeof input;
    if (body !== undefined) await check(id, body);
    // Loading the model would otherwise count toward the query's time limit.
    if (id === 'query') await recollect.warmUp().catch(() => {});
    const operation = operations[id] as (input: object) => Promise<never>;
    return operation({
      userId: LOCAL_USER,
      actor: COMMAND_LINE,
      body: body ?? null,
      query,
      parameters,
      headers,
      // Status and headers are for HTTP only.
      reply: { code() {}, header() {} },
      signal: new AbortController().signal,
    });
  };
}

/** Throws VALIDATION_FAILED for texts that are too long, as the server does. */
async function check(id: string, body: unknown): Promise<void> {
  // The schemas are loaded only for what they check.
  const { operations, validate } = await import('@recollect/contract');
  const { body: schema, bodyShape }: Operation = operations[id as keyof typeof operations];
  const shape = bodyShape?.(body) ?? schema;
  const [fault] = shape === undefined ? [] : validate(shape, body);
  if (fault !== undefined) throw new RecollectError('VALIDATION_FAILED', describeFault(fault));
}
