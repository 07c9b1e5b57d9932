import type { ImportList, ImportPreview, ImportReport } from '@recollect/contract';
import { count, describeTime } from '@recollect/contract/text';
import { undoAdvice } from '../commands/advice.js';
import { inert, localTime, print, style } from './output.js';
import { printTable } from './print.js';
import { shownId } from './short-id.js';

/** Entries of each list of a report that are printed. */
const SHOWN = 20;

/** Prints what an import did: counts and notices on standard output, reasons on standard error. */
export function printImport(report: ImportReport, { seconds }: { seconds: number }): void {
  const { found, created, links, updated, duplicates, savedSearches, skipped, skippedCount } = report;
  const { failed, failedCount, isComplete, dropped } = report;
  const isNothingNew = created + updated + failedCount + skippedCount === 0 && duplicates > 0;
  const counts = [
    ...(isNothingNew ? ['nothing new'] : [`${found} read`, `${created} imported`]),
    ...(updated === 0 ? [] : [`${updated} completed`]),
    ...(duplicates === 0 ? [] : [isNothingNew ? `all ${duplicates} already here` : `${duplicates} already here`]),
    ...(skippedCount === 0 ? [] : [`${skippedCount} skipped`]),
    ...(failedCount === 0 ? [] : [`${failedCount} failed`]),
  ];
  print(`${namesOf(report.programs)}: ${counts.join(', ')}${seconds < 1 ? '' : ` in ${describeTime(seconds)}`}.`);
  if (savedSearches > 0) print(`${count(savedSearches, 'saved search', 'saved searches')} added.`);
  printOthers(report);
  warnOf('Skipped', skipped, skippedCount, SHOWN);
  warnOf('Failed', failed, failedCount, SHOWN);
  // The reason is the last entry, which may not be among those shown.
  if (!isComplete)
    warn('The import is incomplete: the file has no end line, or fewer or more memories than that says.');
  if (dropped > created + updated + duplicates)
    warn(`Most of the file was not imported: ${count(dropped, 'item or file', 'items and files')} left out.`);
  if (report.changeId !== null) print(undoAdvice(report.changeId));
  if (links > 0) print(`${count(links, 'is a link', 'are links')} without a text. Get the pages with: recollect fetch`);
}

/** Prints the latest imports, newest first. */
export function printImports(imports: ImportList['imports']): void {
  if (imports.length === 0) {
    print('Nothing has been imported.');
    return;
  }
  for (const { changeId, at, name, programs, created, updated, isUndone } of imports) {
    const counts =
      created === null || updated === null ? 'running, or interrupted' : `${created} imported, ${updated} completed`;
    const state = isUndone ? ', undone' : '';
    print(`${localTime(at)}  ${inert(name)} ${style('dim', shownId(changeId))}`);
    print(style('dim', `  ${[...programs, counts].join(', ')}${state}`));
  }
  print('\nUndo an import with: recollect undo CHANGE');
}

/** Prints what an import would do: counts, the first items, and all that it would leave out. */
export function printPreview(path: string, preview: ImportPreview): void {
  const { programs, found, conversations, links, first, skipped, skippedCount, failed, failedCount } = preview;
  const kinds = [
    conversations === 0 ? '' : count(conversations, 'conversation', 'conversations'),
    links === 0 ? '' : count(links, 'link', 'links'),
    skippedCount === 0 ? '' : `${skippedCount} skipped`,
    failedCount === 0 ? '' : `${failedCount} cannot be read`,
  ].filter((kind) => kind !== '');
  const from = programs.length === 0 ? '' : ` from ${namesOf(programs)}`;
  print(
    `${inert(path)}: ${count(found, 'memory', 'memories')}${from}${kinds.length === 0 ? '' : ` (${kinds.join(', ')})`}`,
  );
  if (first.length > 0)
    printTable(
      [{ title: 'date', width: 10 }, { title: 'title' }],
      first.map(({ title, capturedAt }) => [capturedAt?.slice(0, 10) ?? '', title]),
    );
  if (found > first.length) print(style('dim', `… and ${found - first.length} more`));
  printOthers(preview);
  warnOf('Skipped', skipped, skippedCount, skipped.length);
  warnOf('Cannot be read', failed, failedCount, failed.length);
  if (found === 0 && failedCount === 0) warn(`${path}: There is nothing in it that can be imported.`);
  if (found === 0) process.exitCode = 1;
  print('Nothing was changed. To import it, leave out --dry-run.');
}

/** Programs without the examples in parentheses. */
function namesOf(programs: readonly string[]): string {
  return programs.map((program) => program.replace(/ \([^()]*\)$/, '')).join(', ');
}

function printOthers({ otherFiles, otherNames }: Pick<ImportReport, 'otherFiles' | 'otherNames'>): void {
  if (otherFiles === 0) return;
  const names = inert(otherNames.join(', ')) + (otherFiles > otherNames.length ? ', …' : '');
  print(`${count(otherFiles, 'other file', 'other files')} left out: ${names}`);
}

function warnOf(title: string, list: readonly { item: string; reason: string }[], total: number, shown: number): void {
  for (const { item, reason } of list.slice(0, shown)) warn(`${title}: ${inert(item)}: ${inert(reason)}`);
  if (total > shown)
    warn(`… and ${total - shown} more; --json lists ${total > list.length ? 'the first of ' : ''}them.`);
}

function warn(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
