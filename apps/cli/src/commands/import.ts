import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { ImportReport } from '@recollect/contract';
import { count } from '@recollect/contract/text';
import { createImportPreviews, type ImportFileOptions, LOCAL_USER, RecollectError } from '@recollect/core';
import { COMMAND_LINE } from '../command-line-actor.js';
import type { Recollect } from '../compose/open-recollect.js';
import { readConfiguration } from '../config.js';
import { findServer } from '../executor/find-server.js';
import { throughServer } from '../executor/through-server.js';
import { print, printJson } from '../terminal/output.js';
import { printImport, printImports, printPreview } from '../terminal/print-import.js';
import { showProgress } from '../terminal/progress.js';
import { explainFileError } from '../transfer/write-file.js';
import { type AddCommand, addValue, InvalidOptionError, stopSignal, withExecutor, withRecollect } from './command.js';

interface Options {
  list?: boolean;
  dryRun?: boolean;
  tag?: string[];
  since?: string;
  format?: string;
  json?: boolean;
}

export const addImport: AddCommand = (program) => {
  program
    .command('import')
    .description('restore an export, or import the exports of other programs and folders of notes')
    .argument('[paths...]', 'files, archives and folders; - for standard input')
    .option('--list', 'list the latest imports, each with the id that undoes it')
    .option('--dry-run', 'show what would be imported, and change nothing')
    .option('--tag <tag>', 'a tag for everything that is imported; repeat for several', addValue)
    .option('--since <date>', 'leave out what is older')
    .option('--format <program>', 'read only the exports of this program')
    .option('--json', 'print JSON')
    .action(runImport);
};

async function runImport(paths: readonly string[], options: Options): Promise<void> {
  if (options.list) return list(options.json === true);
  if (paths.length === 0)
    throw new InvalidOptionError('Name the files to import, or list earlier imports with --list.');
  const signal = stopSignal();
  if (options.dryRun) await forEachPath(paths, (path) => preview(path, options, signal));
  else
    await withRecollect(async (recollect) => {
      const reports = await forEachPath(paths, (path) => importPath(recollect, path, options, signal));
      if (options.json) printJson(reports.length === 1 ? reports[0] : reports);
      if (reports.some((report) => report.failedCount > 0 || isMostlyDropped(report))) process.exitCode = 1;
      if (!options.json && reports.some(({ created }) => created > 0)) await sayWhenFound();
    }, 'transfer');
}

async function list(json: boolean): Promise<void> {
  await withExecutor(async ({ call }) => {
    const { imports } = await call('listImports', {});
    if (json) printJson({ imports });
    else printImports(imports);
  });
}

/** Does the work for each path, also after one has failed. With one path, its error is the command's. */
async function forEachPath<Done>(paths: readonly string[], work: (path: string) => Promise<Done>): Promise<Done[]> {
  const done: Done[] = [];
  for (const path of paths) {
    try {
      done.push(await work(path));
    } catch (error) {
      if (paths.length === 1 || !(error instanceof RecollectError) || error.code === 'UNAVAILABLE') throw error;
      process.stderr.write(`${error.message}\n`);
      process.exitCode = 1;
    }
  }
  return done;
}

async function preview(path: string, options: Options, signal: AbortSignal): Promise<void> {
  const { createExportReader } = await import('@recollect/importers/export-reader');
  const previews = createImportPreviews({ exportReader: createExportReader() });
  const preview = await withFile(path, signal, (file) => previews.preview(file, selectionOf(path, options, signal)));
  if (options.json) printJson(preview);
  else printPreview(path, preview);
}

async function importPath(
  { core }: Recollect,
  path: string,
  options: Options,
  signal: AbortSignal,
): Promise<ImportReport> {
  const bar = showProgress(0, options.json === true);
  const startedAt = performance.now();
  let done = 0;
  const onProgress = ({ found, created, updated }: ImportReport) => {
    done = created + updated;
    bar.update(0, `${found} read, ${created} imported`);
  };
  const selection = { ...selectionOf(path, options, signal), actor: COMMAND_LINE, onProgress };
  const report = await withFile(path, signal, (file) => core.imports.fromFile(LOCAL_USER, file, selection)).catch(
    (error) => Promise.reject(signal.aborted ? stopped(done) : explain(error, path)),
  );
  bar.stop('');
  if (!options.json) printImport(report, { seconds: (performance.now() - startedAt) / 1_000 });
  return report;
}

function selectionOf(path: string, { tag, since, format }: Options, signal: AbortSignal): ImportFileOptions {
  const name = path === '-' ? 'standard input' : basename(resolve(path));
  return { name, tags: tag, since, format, signal };
}

/**
 * Does work on a file or a folder. Standard input and what another program writes become a file first: archives are
 * read from their end.
 */
async function withFile<Done>(path: string, signal: AbortSignal, work: (file: string) => Promise<Done>): Promise<Done> {
  const facts = path === '-' ? null : await stat(path).catch((error) => Promise.reject(explainFileError(error, path)));
  if (facts?.isFile() || facts?.isDirectory())
    return work(path).catch((error) => Promise.reject(explainFileError(error, path)));
  if (facts !== null && !facts.isFIFO()) throw new RecollectError('VALIDATION_FAILED', `${path} is not a file.`);
  const { spoolFile } = await import('@recollect/server/spool-file');
  const { openStream } = await import('../transfer/write-file.js');
  const { path: file, remove } = await spoolFile(openStream(path, signal), Number.POSITIVE_INFINITY);
  try {
    return await work(file);
  } finally {
    await remove();
  }
}

/** Says when search by meaning finds what was imported: a running server makes the embeddings. */
async function sayWhenFound(): Promise<void> {
  const { dataFolder, serverWait } = readConfiguration();
  const server = await findServer(dataFolder, serverWait);
  if (server !== null) await throughServer(server).embed({ isQuiet: false });
  else print(EMBEDDINGS_FOLLOW);
}

const EMBEDDINGS_FOLLOW =
  'Searchable by words now, and by meaning after the next recollect serve or recollect reindex.';

/** Whether more was left out than is here now. */
function isMostlyDropped({ created, updated, duplicates, dropped }: ImportReport): boolean {
  return dropped > created + updated + duplicates;
}

function stopped(done: number): RecollectError {
  const sentence = `Stopped. ${count(done, 'memory', 'memories')} imported. To continue, import the same file again: stored memories are skipped.`;
  return new RecollectError('UNAVAILABLE', sentence);
}

/** Names the path, and the other command for a text that is not an export. */
function explain(error: unknown, path: string): unknown {
  if (!(error instanceof RecollectError) || error.code !== 'EXPORT_UNREADABLE') return error;
  const isText = /\.(?:txt|text|html?|csv|tsv|org|rst|tex)$/i.test(path);
  const advice = isText ? ` To save the file unchanged: recollect capture ${path}` : '';
  return new RecollectError(error.code, `${path}: ${error.message}${advice}`, { cause: error });
}
