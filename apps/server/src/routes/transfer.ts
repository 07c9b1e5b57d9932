import { Readable } from 'node:stream';
import {
  type ExportItem,
  limits,
  type QueryOf,
  readExport,
  UnreadableExportError,
  writeExport,
} from '@recollect/contract';
import { splitTags } from '@recollect/contract/text';
import { type Core, type ImportFileOptions, RecollectError } from '@recollect/core';
import type { FastifyReply } from 'fastify';
import { type App, bindOperation } from '../bind-operation.js';
import { readBody } from '../body-stream.js';
import type { CaptureActivity } from '../capture-activity.js';
import type { RequestContext } from '../gate/gate.js';
import type { ReportError } from '../report-error.js';
import type { RequestTime } from '../request-time.js';
import { spoolFile } from '../spool-file.js';
import { untilRevoked } from '../until-revoked.js';
import { STALL, whileRead } from '../while-read.js';

/** Bytes of an export that wait for the client. */
const BUFFER = 256 * 1024;
/** Milliseconds after a capture in which an import expects another one. */
const BUSY = 2_000;
/** The name in reports of a file whose name was not sent. */
const UNNAMED = 'The file';

interface TransferOptions {
  version: string;
  stopping: AbortSignal;
  requestTime: RequestTime;
  report: ReportError;
  activity: Pick<CaptureActivity, 'quietFor'>;
}

interface ImportRequest {
  userId: string;
  admission: RequestContext;
  reply: FastifyReply;
  gone: AbortSignal;
}

/** EXP-7, EXP-8: export and import as streams, whose length nothing limits. */
export function transferRoutes(
  app: App,
  { records, imports, people, audit }: Core,
  { version, stopping, requestTime, report, activity }: TransferOptions,
): void {
  /** The imports that are running, by their people. */
  const running: string[] = [];
  const { ofAll, ofOne, ofEach } = limits.transfer.concurrent;

  /** Sends everything that a person has, or what a query selects of it. */
  const sendExport = async (
    userId: string,
    { since, query }: Pick<QueryOf<'export'>, 'since' | 'query'>,
    { admission, reply }: Pick<ImportRequest, 'admission' | 'reply'>,
  ) => {
    const now = new Date();
    const exported = records.export(userId, { since, query });
    reply.header('content-disposition', `attachment; filename="recollect-${now.toISOString().slice(0, 10)}.jsonl"`);
    if (reply.request.method === 'HEAD') return Readable.from([]);
    const parts = await records.headerParts(userId, { since, query });
    const lines = writeExport(exported, { program: version, now, ...parts });
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
  };

  bindOperation(app, 'export', ({ identity: { userId }, admission, query, reply }) =>
    sendExport(userId, query, { admission, reply }),
  );

  bindOperation(app, 'exportPerson', async ({ identity, admission, parameters: { id }, reply }) => {
    // A key that only operates the deployment reads no memory (PPL-3).
    admission.requireScope('admin');
    await people.get(id);
    await audit.record(identity.userId, 'exportPerson', id);
    return sendExport(id, {}, { admission, reply });
  });

  /** Passes the body of a request to an import, as one of the few that run at a time. */
  const importBody = async <Report>(
    { userId, admission, reply, gone }: ImportRequest,
    work: (body: AsyncIterable<Uint8Array>, signal: AbortSignal) => Promise<Report>,
  ): Promise<Report> => {
    // One person's imports leave room for the imports of others.
    const most = (await people.hasOthers()) ? ofEach : ofOne;
    if (running.length >= ofAll || running.filter((id) => id === userId).length >= most)
      throw new RecollectError('IMPORT_RUNNING', 'Other imports are running. Wait until one of them is done.');
    running.push(userId);
    const { raw } = reply.request;
    requestTime.lift(raw);
    try {
      return await untilRevoked(admission, stopping, (revoked) => {
        const signal = AbortSignal.any([revoked, gone]);
        return work(readBody(raw, limits.transfer.idleMs, signal), signal);
      });
    } finally {
      running.splice(running.indexOf(userId), 1);
    }
  };

  /** Passes the body of a request to an import as a file, which is removed in the end. */
  const importSpooled = <Report>(
    request: ImportRequest,
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

  // The handlers read the body.
  app.addContentTypeParser(['application/x-ndjson', 'application/octet-stream'], async () => null);
  bindOperation(app, 'import', ({ identity: { userId }, query, admission, reply, signal: gone }) => {
    const { name, ...selection } = selectionOf(query);
    const request = { userId, admission, reply, gone };
    const actor = admission.actor;
    const isBusy = () => activity.quietFor() < BUSY;
    // An export of Recollect is imported as it arrives, since nothing limits its length.
    return reply.request.headers['content-type']?.toLowerCase().startsWith('application/x-ndjson')
      ? importBody(request, (body, signal) =>
          imports.fromRecords(userId, readLines(body), { ...selection, actor, signal }),
        )
      : importSpooled(request, (path, signal) =>
          imports.fromFile(userId, path, { name, ...selection, actor, signal, isBusy }),
        );
  });

  bindOperation(app, 'previewImport', ({ identity: { userId }, query, admission, reply, signal: gone }) =>
    importSpooled({ userId, admission, reply, gone }, (path, signal) =>
      imports.preview(path, { ...selectionOf(query), signal }),
    ),
  );
}

function selectionOf({ name, tag, since, format }: QueryOf<'import'>): ImportFileOptions {
  return {
    name: name ?? UNNAMED,
    tags: tag == null ? [] : splitTags(tag),
    since: since ?? undefined,
    format: format ?? undefined,
  };
}

async function* readLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<ExportItem> {
  try {
    yield* readExport(body);
  } catch (error) {
    if (error instanceof UnreadableExportError) throw new RecollectError('EXPORT_UNREADABLE', error.message);
    throw error;
  }
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
