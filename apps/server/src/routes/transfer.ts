import { Readable } from 'node:stream';
import { type ItemsReport, limits, readExport, UnreadableExportError, writeExport } from '@recollect/contract';
import { type Core, RecollectError } from '@recollect/core';
import type { FastifyReply } from 'fastify';
import { type App, bindOperation } from '../bind-operation.js';
import { readBody } from '../body-stream.js';
import type { Admission } from '../gate/gate.js';
import type { ReportError } from '../report-error.js';
import type { RequestTime } from '../request-time.js';
import { spoolFile } from '../spool-file.js';
import { untilRevoked } from '../until-revoked.js';
import { STALL, whileRead } from '../while-read.js';

/** Bytes of an export that wait for the client. */
const BUFFER = 256 * 1024;
/** Files that cannot be read, of which the error gives the reason. */
const NAMED = 5;
/** What reports call a file whose name was not sent. */
const UNNAMED = 'The file';

interface TransferOptions {
  version: string;
  stopping: AbortSignal;
  requestTime: RequestTime;
  report: ReportError;
}

/** EXP-7, EXP-8: export and import as streams, whose length nothing limits. */
export function transferRoutes(
  app: App,
  { records, imports }: Core,
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

  /** Passes the body of a request to an import, as one of the few that run at a time. */
  const importBody = async <Report>(
    { admission, reply, gone }: { admission: Admission; reply: FastifyReply; gone: AbortSignal },
    work: (body: AsyncIterable<Uint8Array>, signal: AbortSignal) => Promise<Report>,
  ): Promise<Report> => {
    if (running >= limits.transfer.concurrent)
      throw new RecollectError('IMPORT_RUNNING', 'Other imports are running. Wait until one of them is done.');
    running += 1;
    const { raw } = reply.request;
    requestTime.lift(raw);
    try {
      return await untilRevoked(admission, stopping, (revoked) => {
        const signal = AbortSignal.any([revoked, gone]);
        return work(readBody(raw, limits.transfer.idleMs, signal), signal);
      });
    } finally {
      running -= 1;
    }
  };

  // The handlers read the body.
  app.addContentTypeParser(['application/x-ndjson', 'application/octet-stream'], async () => null);
  bindOperation(app, 'import', ({ identity: { userId }, admission, reply, signal: gone }) =>
    importBody({ admission, reply, gone }, (body, signal) =>
      records.import(userId, readExport(body), { by: admission.actor, signal }).catch((error) => {
        if (error instanceof UnreadableExportError) throw new RecollectError('EXPORT_UNREADABLE', error.message);
        throw error;
      }),
    ),
  );

  /** Passes the body of a request to an import as a file, which is removed in the end. */
  const importSpooled = <Report>(
    request: { admission: Admission; reply: FastifyReply; gone: AbortSignal },
    work: (path: string, signal: AbortSignal) => Promise<Report>,
  ): Promise<Report> =>
    importBody(request, async (body, signal) => {
      const { path, remove } = await spoolFile(body, limits.transfer.fileBytes);
      try {
        return await work(path, signal);
      } finally {
        await remove();
      }
    });

  bindOperation(app, 'importFile', ({ identity: { userId }, query, admission, reply, signal: gone }) =>
    importSpooled({ admission, reply, gone }, async (path, signal) => {
      const options = { name: query.name ?? UNNAMED, by: admission.actor, signal };
      const report = await imports.fromFile(userId, path, options);
      if (report.programs.length === 0) throw unrecognised(report, await imports.programs());
      return report;
    }),
  );

  bindOperation(app, 'previewImport', ({ query, admission, reply, signal: gone }) =>
    importSpooled({ admission, reply, gone }, (path, signal) =>
      imports.preview(path, { name: query.name ?? UNNAMED, signal }),
    ),
  );
}

/** @param programs those whose exports the file is not */
function unrecognised({ failed }: ItemsReport, programs: readonly string[]): RecollectError {
  const faults = failed.slice(0, NAMED).map(({ item, reason }) => `${item}: ${reason}`);
  const why =
    faults.length > 0
      ? faults.join(' ')
      : `The file is no export of a program whose exports can be imported: ${programs.join(', ')}.`;
  return new RecollectError('EXPORT_UNREADABLE', `${why} Nothing was imported.`);
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
