import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { type Core, RecollectError } from '@recollect/core';
import { type App, bindOperation } from '../bind-operation.js';
import { STALL, whileRead } from '../while-read.js';

/** BAK-7: the file of a backup. Only files in the list of backups are read, regardless of the name. */
export function backupRoutes(app: App, { backups }: Core): void {
  bindOperation(app, 'downloadBackup', async ({ parameters: { name }, reply }) => {
    const backup = (await backups.list()).backups.find(({ path }) => basename(path) === name);
    if (backup === undefined) throw new RecollectError('NOT_FOUND', 'No backup has this name.');
    reply.headers({
      'content-type': 'application/octet-stream',
      'content-length': backup.bytes,
      'content-disposition': `attachment; filename="${name}"`,
    });
    const file = createReadStream(backup.path, { end: Math.max(0, backup.bytes - 1) });
    if (reply.request.method === 'HEAD') return reply.send(file);
    const read = whileRead(file, STALL, () => reply.raw.destroy());
    return reply.send(Readable.from(read, { objectMode: false }));
  });
}
