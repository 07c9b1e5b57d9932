import { type ExportPart, type ExportReader, RecollectError } from '@recollect/core';
import { findImporter, importers } from './importers.js';
import { type ReadFilesOptions, readFiles, UnreadableArchiveError } from './read-files.js';

/** Reads exports with all {@link importers}. */
export function createExportReader({ decode }: Pick<ReadFilesOptions, 'decode'>): ExportReader {
  return {
    programs: async () => [...new Set(importers.map(({ program }) => program))],
    async *read(path, { name, signal }) {
      try {
        yield* readParts(path, { decode, name, signal });
      } catch (error) {
        if (!(error instanceof UnreadableArchiveError)) throw error;
        const sentence =
          'The archive is damaged or incomplete. What could be read of it is imported. Get the export again.';
        throw new RecollectError('EXPORT_UNREADABLE', sentence, { cause: error });
      }
    },
  };
}

async function* readParts(path: string, options: ReadFilesOptions): AsyncGenerator<ExportPart> {
  for await (const file of readFiles(path, options)) {
    if ('skipped' in file) {
      yield { failed: file.skipped, reason: file.reason };
      continue;
    }
    if ('other' in file) {
      yield file;
      continue;
    }
    const importer = findImporter(file);
    if (importer === undefined) {
      yield file.isDamaged()
        ? { failed: file.name, reason: 'It is JSON that is damaged or incomplete.' }
        : { other: file.name };
      continue;
    }
    yield { program: importer.program };
    try {
      yield* importer.read(file);
    } catch (error) {
      // What an importer throws is a fault in it. The other files may be good.
      yield { failed: file.name, reason: `It cannot be read to its end: ${(error as Error).message}` };
    }
  }
}
