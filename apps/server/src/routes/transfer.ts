import { Readable } from 'node:stream';
import { limits, readExport, UnreadableExportError, writeExport } from '@recollect/contract';
import { type Core, RecollectError } from '@recollect/core';
import { type App, bindOperation } from '../bind-operation.js';
import { readBody } from '../body-stream.js';
import type { ReportError } from '../report-error.js';
import type { RequestTime } from '../request-time.js';
import { untilRevoked } from '../until-revoked.js';
import { STALL, whileRead } from '../while-read.js';

/** Bytes of an export that wait for the client. */
const BUFFER = 256 * 1024;

interface TransferOptions {
  version: string;
  stopping: AbortSignal;
  requestTime: RequestTime;
  report: ReportError;
}

/** EXP-7, EXP-8: export and import as streams, whose length nothing limits. */
export function transferRoutes(
  app: App,
  { records }: Core,
  { version, stopping, requestTime, report }: TransferOptions,
): void {
  let running = 0;

  bindOperation(app, 'export', async ({ identity: { userId }, admission, query: { since, query }, reply }) => {
    const now = new Date();
    const found = records.export(userId, { since, query });
    reply.header('content-disposition', `attachment; filename="recollect-${now.toISOString().slice(0, 10)}.jsonl"`);
    if (reply.request.method === 'HEAD') return Readable.from([]);
    const savedSearches = await records.searches(userId, { since, query });
    const lines = writeExport(found, { program: version, now, savedSearches });
    const reported = reporting(lines, (error) => report('export', error, reply.request));
    const read = whileRead(reported, STALL, () => reply.raw.destroy());
    const stream = Readable.from(read, { objectMode: false, highWaterMark: BUFFER });
    const closed = new Promise<void>((resolve) => stream.once('close', resolve));
    void untilRevoked(admission, stopping, async (signal) => {
      const end = () => reply.raw.destroy();
      signal.addEventListener('abort', end, { once: true });
      await closed;
      signal.removeEventListener('abort', end);
    });
    return stream;
  });

  // The handler reads the body.
  app.addContentTypeParser('application/x-ndjson', async () => null);
  bindOperation(app, 'import', async ({ identity: { userId }, admission, reply }) => {
    if (running >= limits.transfer.concurrent)
      throw new RecollectError('IMPORT_RUNNING', 'Other imports are running. Wait until one of them is done.');
    running += 1;
    const { raw } = reply.request;
    requestTime.lift(raw);
    try {
      return await untilRevoked(admission, stopping, (signal) =>
        records.import(userId, readExport(readBody(raw, limits.transfer.idleMs, signal)), {
          by: admission.actor,
          signal,
        }),
      );
    } catch (error) {
      if (error instanceof UnreadableExportError) throw new RecollectError('EXPORT_UNREADABLE', error.message);
      throw error;
    } finally {
      running -= 1;
    }
  });
}

/** Passes lines on, and reports why there are no more: once the response has begun, no error handler runs. */
async function* reporting(lines: AsyncIterable<string>, report: (error: unknown) => void): AsyncGenerator<string> {
  try {
    yield* lines;
  } catch (error) {
    report(error);
    throw error;
  }
}
