import { basename } from 'node:path';
import { type ImportReport, type ItemsReport, readExport, UnreadableExportError } from '@recollect/contract';
import { count } from '@recollect/contract/text';
import { LOCAL_USER, RecollectError } from '@recollect/core';
import { COMMAND_LINE } from '../command-line-actor.js';
import { inert, print, printJson } from '../terminal/output.js';
import { showProgress } from '../terminal/progress.js';
import { openBytes } from '../transfer/read-bytes.js';
import { type AddCommand, withRecollect } from './command.js';
import { stopSignal } from './stop-signal.js';

/** Entries of each list of the report that are printed. */
const SHOWN = 20;

export const addImport: AddCommand = (program) => {
  program
    .command('import')
    .description('restore the memories of an export, or bring those of another program')
    .argument(
      '<file>',
      'the file of recollect export, compressed or not, or the export of another program; - for standard input',
    )
    .option('--json', 'print JSON')
    .action(runImport);
};

async function runImport(file: string, { json = false }: { json?: boolean }): Promise<void> {
  const signal = stopSignal();
  const source = await openBytes(file, signal);
  await withRecollect(async ({ core }) => {
    const bar = showProgress(source.size, json || source.size === 0);
    let done = 0;
    const onProgress = ({ found, created, updated }: ImportReport) => {
      done = created + updated;
      bar.update(source.position(), `${found} memories read, ${created} imported`);
    };
    const fail = (error: unknown) =>
      Promise.reject(explain(error, { file, isFile: source.isFile, isStopped: signal.aborted, done }));
    const report = await core.records
      .import(LOCAL_USER, readExport(source.bytes), { by: COMMAND_LINE, signal, onProgress })
      .catch((error) =>
        error instanceof UnreadableExportError && source.isFile ? { unreadable: error } : fail(error),
      );
    if ('unreadable' in report) {
      const onItems = ({ found, created, updated }: ItemsReport) => {
        done = created + updated;
        bar.update(0, `${found} read, ${created} imported`);
      };
      const options = { name: basename(file), by: COMMAND_LINE, signal, onProgress: onItems };
      const foreign = await core.imports.fromFile(LOCAL_USER, file, options).catch(fail);
      bar.stop('Done.');
      if (foreign.programs.length === 0)
        throw unrecognised(file, report.unreadable, foreign, await core.imports.programs());
      if (foreign.failedCount > 0 || isMostlyDropped(foreign)) process.exitCode = 1;
      return json ? printJson(foreign) : printItems(foreign);
    }
    bar.stop('Done.');
    if (report.failed.length > 0) process.exitCode = 1;
    if (json) printJson(report);
    else printReport(report);
  }, 'transfer');
}

/** Whether more was left out than is here now. */
function isMostlyDropped({ created, updated, duplicates, dropped }: ItemsReport): boolean {
  return dropped > created + updated + duplicates;
}

function explain(
  error: unknown,
  { file, isFile, isStopped, done }: { file: string; isFile: boolean; isStopped: boolean; done: number },
): unknown {
  if (error instanceof UnreadableExportError) return unreadable(file, error, isFile);
  if (!isStopped)
    return error instanceof RecollectError && error.code === 'EXPORT_UNREADABLE'
      ? new RecollectError(error.code, `${file}: ${error.message}`, { cause: error })
      : error;
  const sentence = `Stopped. ${count(done, 'memory', 'memories')} imported. To continue, import the same file again: what is stored is skipped.`;
  return new RecollectError('UNAVAILABLE', sentence);
}

function unreadable(file: string, { message }: UnreadableExportError, isFile: boolean): RecollectError {
  const advice = isFile ? '' : ' What another program exported is imported from a file, not from a pipe.';
  return new RecollectError('EXPORT_UNREADABLE', `${file}: ${message} Nothing was imported.${advice}`);
}

/** @param programs those whose exports the file is not either */
function unrecognised(
  file: string,
  { message, mayBeOther }: UnreadableExportError,
  { failed }: ItemsReport,
  programs: readonly string[],
): RecollectError {
  const faults = failed
    .slice(0, SHOWN)
    .map(({ item, reason }) => (file.endsWith(item) ? reason : `${item}: ${reason}`));
  const nor = mayBeOther ? ` Nor is it an export of another program that can be imported: ${programs.join(', ')}.` : '';
  const why = faults.length > 0 ? faults.join(' ') : message + nor;
  return new RecollectError('EXPORT_UNREADABLE', `${file}: ${why} Nothing was imported.`);
}

function printReport(report: ImportReport): void {
  const { found, created, updated, duplicates, skipped, skippedCount, failed, failedCount, isComplete, savedSearches } =
    report;
  const counts = [
    `${count(found, 'memory', 'memories')} read: ${created} imported`,
    ...(updated === 0 ? [] : [`${updated} completed`]),
    ...(duplicates === 0 ? [] : [`${duplicates} already here`]),
    ...(skippedCount === 0 ? [] : [`${skippedCount} skipped`]),
    ...(failedCount === 0 ? [] : [`${failedCount} failed`]),
  ];
  print(`${counts.join(', ')}.`);
  if (savedSearches > 0) print(`${count(savedSearches, 'saved search', 'saved searches')} added.`);
  warnOf('Skipped', skipped, skippedCount);
  warnOf('Failed', failed, failedCount);
  // The reason is the last entry, which may not be among those shown.
  if (!isComplete)
    warn('The import is incomplete: the file has no end line, or fewer or more memories than that says.');
  if (created > 0) print(EMBEDDINGS_FOLLOW);
}

const EMBEDDINGS_FOLLOW =
  'Full-text search finds them now. A running server, or recollect reindex, makes the embeddings.';

function printItems(report: ItemsReport): void {
  const { programs, found, created, links, updated, duplicates, otherFiles, otherNames } = report;
  const { skipped, skippedCount, failed, failedCount } = report;
  const counts = [
    `${programs.join(', ')}: ${found} read, ${created} imported`,
    ...(updated === 0 ? [] : [`${updated} completed`]),
    ...(duplicates === 0 ? [] : [`${duplicates} already here`]),
    ...(skippedCount === 0 ? [] : [`${skippedCount} skipped`]),
    ...(failedCount === 0 ? [] : [`${failedCount} failed`]),
  ];
  print(`${counts.join(', ')}.`);
  if (otherFiles > 0) {
    const names = inert(otherNames.join(', ')) + (otherFiles > otherNames.length ? ', …' : '');
    print(`${count(otherFiles, 'other file', 'other files')} of the archive left out: ${names}`);
  }
  warnOf('Skipped', skipped, skippedCount);
  warnOf('Failed', failed, failedCount);
  if (isMostlyDropped(report))
    warn(`Most of the file was not imported: ${count(report.dropped, 'item or file', 'items and files')} left out.`);
  if (links > 0) print(`${count(links, 'is a link', 'are links')} without a text. Get the pages with: recollect fetch`);
  if (created > 0) print(EMBEDDINGS_FOLLOW);
}

function warnOf(title: string, list: readonly { item: string; reason: string }[], total: number): void {
  for (const { item, reason } of list.slice(0, SHOWN)) warn(`${title}: ${inert(item)}: ${inert(reason)}`);
  if (total > SHOWN)
    warn(`… and ${total - SHOWN} more; --json lists ${total > list.length ? 'the first of ' : ''}them.`);
}

function warn(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
