import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportRecord } from '@recollect/contract';
import { explainFileError } from './explain-file-error.js';
import { noteFileName } from './note-file-name.js';
import { toNote } from './to-note.js';

/**
 * Writes a folder with a Markdown file for each memory. The folder appears under its name once it is complete. Returns
 * the bytes of the files.
 */
export async function writeMarkdownFolder(
  path: string,
  records: AsyncIterable<ExportRecord>,
  signal: AbortSignal,
): Promise<number> {
  // Process ids recur in containers, so one that was killed may have left a folder with this one's id.
  const temporary = `${path}.${randomUUID().slice(0, 13)}.partial`;
  await mkdir(temporary, { mode: 0o700 }).catch((error) => Promise.reject(explainFileError(error, path)));
  let bytes = 0;
  try {
    for await (const record of records) {
      signal.throwIfAborted();
      const note = toNote(record);
      await writeNew(join(temporary, noteFileName(record)), note).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
        return writeNew(join(temporary, noteFileName(record, record.id)), note);
      });
      bytes += Buffer.byteLength(note);
    }
    await rename(temporary, path);
    return bytes;
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw explainFileError(error, path);
  }
}

function writeNew(path: string, text: string): Promise<void> {
  return writeFile(path, text, { flag: 'wx', mode: 0o600 });
}
