import type { FieldError } from '@recollect/contract';
import { createClient, ProblemError, UnexpectedResponseError } from '@recollect/contract/client';
import { RecollectError } from '@recollect/core';
import { print } from '../terminal/output.js';
import { describeTimeLeft, showProgress } from '../terminal/progress.js';
import type { CallOperation, EmbedOptions, Executor } from './executor.js';
import { connectTo } from './send-request.js';
import type { ServerFile } from './server-file.js';

/** The options that set the fields of a request. */
const OPTIONS: Readonly<Record<string, string>> = {
  title: '--title',
  url: '--url',
  note: '--note',
  text: '--text',
  pageText: '--text',
  tags: '--tag',
  addTags: '--tag',
  removeTags: '--untag',
};

/** Describes the error of a field in terms of command-line options. */
export function describeFault({ pointer, message }: FieldError): string {
  const [, field = ''] = pointer.split('/');
  return `${OPTIONS[field] ?? pointer.slice(1)} ${message}.`;
}

/** Milliseconds between two looks at what the server has embedded. */
const POLL = 500;

/**
 * Milliseconds without a new embedding after which waiting ends: after a failure, which is retried sooner, and
 * otherwise.
 */
const FAILED_FOR = 10_000;
const IDLE_FOR = 60_000;

/** Has the work done by a running server, as its owner (SEC-18). */
export function throughServer({ address, secret }: ServerFile): Executor {
  const client = createClient(connectTo(address));
  const call: CallOperation = async (id, input) => {
    const headers = { ...input.headers, authorization: `Owner ${secret}` };
    try {
      return await client(id, { ...input, headers });
    } catch (error) {
      throw explain(error, address);
    }
  };
  return {
    call,
    server: address,
    embed: (options) => follow(call, options),
    close: async () => {},
  };
}

/** Says when search by meaning finds the change, or waits until it does. */
async function follow(call: CallOperation, { isQuiet, waits = false }: EmbedOptions): Promise<void> {
  const { missingChunks: all, secondsLeft } = await call('reindexState', {});
  if (all === 0) return;
  if (!waits) {
    const when = secondsLeft === null ? 'later' : `in about ${Math.max(1, Math.round(secondsLeft))} s`;
    if (!isQuiet) print(`Searchable by words now, by meaning ${when}.`);
    return;
  }
  const bar = showProgress(all, isQuiet);
  let before = all;
  let advancedAt = performance.now();
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, POLL));
    const { missingChunks: left, secondsLeft, latestJob } = await call('reindexState', {});
    if (left === 0) break;
    if (left < before) advancedAt = performance.now();
    before = left;
    const hasFailed = latestJob?.status === 'failed' || latestJob?.status === 'blocked';
    if (performance.now() - advancedAt > (hasFailed ? FAILED_FOR : IDLE_FOR)) {
      bar.stop('');
      throw new RecollectError('EMBEDDING_FAILED', `${explainIdle(latestJob)} The texts are saved and found by words.`);
    }
    const rest = secondsLeft === null ? '' : `: ${describeTimeLeft(secondsLeft)}`;
    bar.update(all - left, `the server makes embeddings${rest}`);
  }
  bar.stop('Searchable by words and by meaning.');
}

function explainIdle(job: { error: string | null } | null): string {
  return job?.error ?? 'The server makes no embeddings at the moment; recollect status shows its state.';
}

/** Whether the connection failed or ended. */
function isOfConnection(error: unknown): boolean {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string';
}

function explain(error: unknown, address: string): unknown {
  if (error instanceof ProblemError) {
    const { type, title, status, detail, code, requestId, errors, ...extension } = error.problem;
    const [first] = error.errors;
    // The schema rejected it. Other errors have specific messages.
    const isOfSchema = first !== undefined && error.message.startsWith(`The field at ${first.pointer} `);
    const sentence = isOfSchema ? describeFault(first) : error.message;
    return new RecollectError(error.code, sentence, { errors: error.errors, extension, cause: error });
  }
  if (error instanceof UnexpectedResponseError || isOfConnection(error)) {
    const sentence = `The server at ${address} stopped answering. Run recollect status to see whether it runs, then repeat the command.`;
    return new RecollectError('UNAVAILABLE', sentence, { cause: error });
  }
  return error;
}
