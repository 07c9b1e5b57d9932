import { Writable } from 'node:stream';
import { type CaptureVerb, type Core, LOCAL_USER, type QueryVerb } from '@recollect/core';
import type { Recollect } from '../../compose.js';
import { ConfigurationError, readConfiguration } from '../../config.js';
import { version } from '../../version.js';
import { withRecollect } from '../command.js';
import { stopSignal } from '../stop-signal.js';

/** Milliseconds that the process has to end in once its client is gone. */
const PATIENCE = 5_000;

/** Serves one client over standard input and output until it goes or the process is told to stop. */
export async function serveMcp(): Promise<void> {
  if (!readConfiguration().mcp) {
    throw new ConfigurationError('RECOLLECT_MCP is off. Leave it out to let assistants use the memory.');
  }
  const output = claimStandardOutput();
  const stopped = stopSignal();
  if (process.stdin.isTTY) {
    process.stderr.write(
      'This waits for a program that speaks the Model Context Protocol; recollect mcp --help says how clients start it. Ctrl-C ends it.\n',
    );
  }
  const { serveStdio } = await import('@recollect/mcp/stdio');
  await withRecollect(async (recollect) => {
    const work = new AbortController();
    const { core, settled } = withEmbeddings(recollect, work.signal);
    const server = serveStdio({
      core,
      version,
      caller: { userId: LOCAL_USER, scopes: ['admin'], client: null },
      input: process.stdin,
      output,
      report,
    });
    const stop = new Promise<void>((resolve) => {
      if (stopped.aborted) resolve();
      stopped.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([server.ended, stop]);
    // Whatever still reads then holds nothing, and what is written is in a transaction.
    setTimeout(() => process.exit(0), PATIENCE).unref();
    await server.close();
    work.abort();
    await settled();
  });
  // The client may hold its end open.
  process.stdin.destroy();
}

/** Names alone: messages may hold what was sent (SEC-15). */
function report(error: unknown): void {
  const name = error instanceof Error ? error.name : 'unknown';
  const isNoMessage = name === 'SyntaxError' || name === 'ZodError';
  process.stderr.write(isNoMessage ? 'A line was read that is no message of the protocol.\n' : `failed: ${name}\n`);
}

/**
 * Core as it is in a process of its own, with no server to rely on: a search waits for the model to be loaded, and what
 * lacks embeddings, of this session or an earlier one, gets them here.
 */
function withEmbeddings({ core, warmUp }: Recollect, signal: AbortSignal): { core: Core; settled(): Promise<unknown> } {
  const warm = warmUp().catch(() => {
    process.stderr.write('The embedding model did not load; search is by word alone until it does.\n');
  });
  let indexing: Promise<unknown> = warm
    .then(() => core.indexing.queueMissing())
    .then(() => embedRest(core, signal))
    .catch(() => {});
  const query: QueryVerb = async (...given) => {
    await warm;
    return core.query(...given);
  };
  const capture: CaptureVerb = async (...given) => {
    try {
      return await core.capture(...given);
    } finally {
      indexing = indexing.then(() => embedRest(core, signal)).catch(() => {});
    }
  };
  return { core: { ...core, query, capture }, settled: () => Promise.all([warm, indexing]) };
}

async function embedRest({ indexing }: Core, signal: AbortSignal): Promise<void> {
  let left = 1;
  while (left > 0 && !signal.aborted) left = (await indexing.runDue({ signal })).pending;
}

/**
 * Standard output for the protocol alone: whatever else is written there, by a library or a thread, goes to standard error
 * from now on, since one stray line ends the connection.
 */
function claimStandardOutput(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  return new Writable({
    decodeStrings: false,
    write: (chunk, encoding, done) => void write(chunk, encoding, done),
  });
}
