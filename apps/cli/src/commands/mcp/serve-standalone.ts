import { Writable } from 'node:stream';
import { type CaptureUseCase, type Core, LOCAL_USER, type QueryUseCase } from '@recollect/core';
import { serveStdio } from '@recollect/mcp/stdio';
import type { Recollect } from '../../compose/open-recollect.js';
import { version } from '../../version.js';
import { stopSignal, withRecollect } from '../command.js';

/** Milliseconds until the process exits at the latest, once its client has gone. */
const EXIT_TIMEOUT = 5_000;

/**
 * Serves one client over standard input and output from the store, whether or not a server runs, until the client
 * disconnects or the process receives a stop signal.
 */
export async function serveStandalone(): Promise<void> {
  const output = claimStandardOutput();
  const stopped = stopSignal();
  await withRecollect(async (recollect) => {
    const work = new AbortController();
    const { core, settled } = withEmbeddings(recollect, work.signal);
    const server = serveStdio({
      core,
      version,
      caller: { userId: LOCAL_USER, scopes: ['admin'], keyName: null, client: null },
      input: process.stdin,
      output,
      report,
    });
    const stop = new Promise<void>((resolve) => {
      if (stopped.aborted) resolve();
      stopped.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([server.ended, stop]);
    // Exiting is safe then: pending reads hold nothing, and writes are in transactions.
    setTimeout(() => process.exit(0), EXIT_TIMEOUT).unref();
    await server.close();
    work.abort();
    await settled();
  }, 'assistant');
  // The client may keep its end open.
  process.stdin.destroy();
}

/** Logs only the error's name: its message may contain what was sent (SEC-15). */
function report(error: unknown): void {
  const name = error instanceof Error ? error.name : 'unknown';
  const isInvalidMessage = name === 'SyntaxError' || name === 'ZodError';
  process.stderr.write(
    isInvalidMessage ? 'Received a line that is not a protocol message.\n' : `Internal error: ${name}\n`,
  );
}

/**
 * Core for a process that cannot rely on a server. A search waits until the model is loaded, and this process makes the
 * embeddings that are missing from this session or an earlier one.
 */
function withEmbeddings({ core, warmUp }: Recollect, signal: AbortSignal): { core: Core; settled(): Promise<unknown> } {
  let indexing: Promise<unknown> = core.indexing
    .queueMissing()
    .then(() => embedMissing(core, signal))
    .catch(() => {});
  const query: QueryUseCase = async (...args) => {
    await warmUp().catch(() => {
      process.stderr.write('The embedding model did not load. Until it does, search uses full text only.\n');
    });
    return core.query(...args);
  };
  const capture: CaptureUseCase = async (...args) => {
    try {
      return await core.capture(...args);
    } finally {
      indexing = indexing.then(() => embedMissing(core, signal)).catch(() => {});
    }
  };
  return { core: { ...core, query, capture }, settled: () => indexing };
}

async function embedMissing({ indexing }: Core, signal: AbortSignal): Promise<void> {
  let left = 1;
  while (left > 0 && !signal.aborted) left = (await indexing.runDue({ signal })).pending;
}

/**
 * Reserves standard output for the protocol. Anything else that a library or a thread writes there goes to standard
 * error, because a single stray line ends the connection.
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
