import { once } from 'node:events';
import { type ExportRecord, writeExport } from '@recollect/contract';
import { count, formatBytes } from '@recollect/contract/text';
import { LOCAL_USER, RecollectError } from '@recollect/core';
import { Option } from 'commander';
import { escapeControls, print, printJson } from '../terminal/output.js';
import { type Progress, showProgress } from '../terminal/progress.js';
import { chooseTarget, writeFileAtomically } from '../transfer/write-file.js';

import { writeMarkdownFolder } from '../transfer/write-folder.js';
import { version } from '../version.js';
import { type AddCommand, InvalidOptionError, stopSignal, withRecollect } from './command.js';

interface Options {
  out?: string;
  format: 'jsonl' | 'markdown';
  since?: string;
  json?: boolean;
}

export const addExport: AddCommand = (program) => {
  program
    .command('export')
    .description('write all memories, or some, into a file or a folder')
    .argument(
      '[query...]',
      'search operators such as tag:work or after:2026-01; without them, everything and the trash',
    )
    .option('--out <path>', 'a new file or folder, or an existing folder to put it in; without it, standard output')
    .addOption(
      new Option(
        '--format <format>',
        'jsonl can be imported again; markdown is a folder to read, for example in Obsidian',
      )
        .choices(['jsonl', 'markdown'])
        .default('jsonl'),
    )
    .option('--since <date>', 'only memories that were saved, changed, highlighted or opened since')
    .option('--json', 'print JSON; requires --out')
    .action((words: string[], options: Options) => runExport(words.join(' '), options));
};

async function runExport(query: string, options: Options): Promise<void> {
  const { out, format, since, json = false } = options;
  if (out === undefined && (format === 'markdown' || json))
    throw new InvalidOptionError(`Add --out: ${json ? '--json prints a report' : 'markdown is a folder of files'}.`);
  const path = out === undefined ? null : await chooseTarget(out, format);
  await withRecollect(async ({ core }) => {
    const selection = { since, query };
    const whole = await core.records.count(LOCAL_USER, selection).catch((error) => Promise.reject(asUsage(error)));
    const all = core.records.export(LOCAL_USER, selection);
    const bar = showProgress(whole, path === null);
    const counted = countRecords(all, bar);
    const parts = await core.records.headerParts(LOCAL_USER, selection);
    const lines = (records: AsyncIterable<ExportRecord>) =>
      writeExport(records, { program: version, now: new Date(), ...parts });
    if (path === null) return printLines(lines(counted.records));
    const signal = stopSignal();
    const write = async () =>
      format === 'jsonl'
        ? writeFileAtomically(path, lines(counted.records), signal)
        : writeMarkdownFolder(path, withoutTrash(counted.records), signal);
    const bytes = await write().catch((error) => Promise.reject(signal.aborted ? stopped(path) : error));
    bar.stop('Done.');
    const memories = counted.number() - (format === 'markdown' ? counted.trashed() : 0);
    if (json) return printJson({ path, format, memories, bytes });
    print(`${count(memories, 'memory', 'memories')} written to ${path} (${formatBytes(bytes)}).`);
    if (format === 'markdown' && counted.trashed() > 0)
      print(`Left out: ${count(counted.trashed(), 'memory', 'memories')} in the trash.`);
  }, 'transfer');
}

/** Counts records as they pass. */
function countRecords(all: AsyncIterable<ExportRecord>, bar: Progress) {
  let number = 0;
  let trashed = 0;
  const records = async function* () {
    for await (const record of all) {
      number += 1;
      if (record.deletedAt !== null) trashed += 1;
      if (number % 100 === 0) bar.update(number, `${number} memories written`);
      yield record;
    }
  };
  return { records: records(), number: () => number, trashed: () => trashed };
}

async function* withoutTrash(records: AsyncIterable<ExportRecord>): AsyncGenerator<ExportRecord> {
  for await (const record of records) if (record.deletedAt === null) yield record;
}

/** Prints an export until its reader goes away. */
async function printLines(lines: AsyncIterable<string>): Promise<void> {
  const { stdout } = process;
  let isRead = true;
  const stop = () => {
    isRead = false;
  };
  stdout.once('error', stop);
  for await (const line of lines) {
    // The listener of the program reports the error.
    if (isRead && !stdout.write(escapeControls(line))) await once(stdout, 'drain').catch(stop);
    if (!isRead) break;
  }
  stdout.off('error', stop);
}

function asUsage(error: unknown): unknown {
  if (!(error instanceof RecollectError) || error.code !== 'VALIDATION_FAILED') return error;
  return new InvalidOptionError(error.message.startsWith('since') ? `--${error.message}` : `The ${error.message}`);
}

function stopped(path: string): RecollectError {
  return new RecollectError('UNAVAILABLE', `Stopped. ${path} was not written. Run the command again to start over.`);
}
