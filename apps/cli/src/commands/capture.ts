import { extname } from 'node:path';
import type { Capture, CaptureAnswer } from '@recollect/contract';
import { count, countWords } from '@recollect/contract/text';
import { RecollectError } from '@recollect/core';
import { readConfiguration } from '../config.js';
import type { CallOperation } from '../executor/executor.js';
import { type SavedCapture, saveCapture } from '../executor/save-capture.js';
import { type Expanded, expandFolders } from '../sources/expand-folders.js';
import { readSource } from '../sources/read-source.js';
import { inert, print, printJson, style } from '../terminal/output.js';
import { hideProgress, showProgress } from '../terminal/progress.js';
import { shownId } from '../terminal/short-id.js';
import { explainFileError } from '../transfer/write-file.js';
import { CATCHING_UP } from './advice.js';
import { type AddCommand, addValue, InvalidOptionError, withExecutor } from './command.js';

interface Options {
  title?: string;
  url?: string;
  tag?: string[];
  note?: string;
  text?: string;
  recursive?: boolean;
  wholePage?: boolean;
  wait?: boolean;
  json?: boolean;
}

export const addCapture: AddCommand = (program) => {
  program
    .command('capture')
    .description('save web pages, files (text, Markdown, HTML, PDF) or standard input')
    .argument('[sources...]', 'URLs, files, or - for standard input')
    .option('--text <text>', 'save this text as a note')
    .option('-r, --recursive', 'also save the texts in folders')
    .option('--whole-page', 'save all text of web pages, not only the article')
    .option('--title <text>', 'title, for a single source')
    .option('--url <url>', 'source URL, for a single source')
    .option('--tag <tag>', 'a tag; repeat for several', addValue)
    .option('--note <text>', 'your own note')
    .option('--wait', 'wait until the embeddings are made')
    .option('--json', 'print JSON')
    .action((sources: string[], options: Options) => capture(sources, options));
};

async function capture(sourceNames: readonly string[], options: Options): Promise<void> {
  const { inputs, skipped } = await collectInputs(sourceNames, options);
  if (inputs.length === 0 && sourceNames.length > 0)
    throw new InvalidOptionError(`There are no texts in ${sourceNames.join(', ')}.`);
  if (inputs.length === 0)
    throw new InvalidOptionError('Nothing to capture. Pass a URL, a file, --text, or - for standard input.');
  if (inputs.length > 1 && (options.title !== undefined || options.url !== undefined)) {
    throw new InvalidOptionError('--title and --url accept only a single source. Capture the sources one at a time.');
  }
  await withExecutor(async ({ call, embed }) => {
    const isQuiet = options.json === true;
    const startedAt = performance.now();
    const bar = showProgress(inputs.length, isQuiet);
    const answers: CaptureAnswer[] = [];
    let failed = false;
    for (const [index, input] of inputs.entries()) {
      bar.update(index, input.name);
      const captured = readAndSave(call, input, options).finally(hideProgress);
      const outcome = await captured.catch((error) => reportFailure(error, input.name));
      if (outcome === null) continue;
      answers.push(outcome.answer);
      if (!isQuiet) await report(call, outcome.answer);
      if (outcome.failure === null) continue;
      failed = true;
      reportEmbedding(outcome.failure, input.name);
    }
    const { isDefaultFolder, storePlace } = readConfiguration();
    if (!isQuiet && !isDefaultFolder && answers.length > 0) print(style('dim', `in ${inert(storePlace)}`));
    bar.stop('');
    if (!isQuiet && inputs.length > 1) print(summarise(answers, inputs.length, performance.now() - startedAt));
    reportSkipped(skipped);
    if (failed && options.wait) process.exitCode = 1;
    if (failed && !isQuiet) print(CATCHING_UP);
    // A model that has just failed is not called again.
    if (!failed && answers.some(({ imported }) => imported.embedded < imported.chunks))
      await embed({ isQuiet, waits: options.wait });
    if (isQuiet && answers.length > 0) printJson(inputs.length === 1 ? answers[0] : answers);
  });
}

/** A source to capture: its name in messages, and its content. */
interface Input {
  name: string;
  read(): Promise<Capture>;
}

async function collectInputs(
  sourceNames: readonly string[],
  { text, recursive }: Options,
): Promise<{ inputs: Input[]; skipped: readonly string[] }> {
  const isPiped = sourceNames.length === 0 && text === undefined && !process.stdin.isTTY;
  const named = isPiped ? ['-'] : sourceNames;
  const { sources, skipped }: Expanded = recursive
    ? await expandFolders(named, reportFolder)
    : { sources: named.map((source) => ({ source })), skipped: [] };
  const inputs: Input[] = sources.map(({ source, fileName }) => ({
    name: source === '-' ? 'Standard input' : source,
    read: () => readSource(source, fileName),
  }));
  if (text !== undefined) inputs.unshift({ name: 'The text', read: async () => ({ pageText: text }) });
  return { inputs, skipped };
}

/** Reports how many files were skipped as not text, by kind. */
function reportSkipped(skipped: readonly string[]): void {
  if (skipped.length === 0) return;
  const kinds = Map.groupBy(skipped, (path) => extname(path).toLowerCase() || 'without extension');
  const listed = [...kinds]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([kind, { length }]) => `${length} ${kind}`);
  const shown = listed.length > KINDS ? [...listed.slice(0, KINDS), '…'] : listed;
  process.stderr.write(
    `Skipped ${count(skipped.length, 'file that is', 'files that are')} no text: ${inert(shown.join(', '))}\n`,
  );
}

/** Kinds of skipped files that are named. */
const KINDS = 8;

async function readAndSave(call: CallOperation, { read }: Input, options: Options): Promise<SavedCapture> {
  return saveCapture(call, withOptions(await read(), options));
}

/** Reports a source that was not saved, and lets the others continue. */
function reportFailure(error: unknown, name: string): null {
  if (!(error instanceof RecollectError)) throw error;
  const sentence = error.code === 'CAPTURE_EMPTY' ? 'No text found. Nothing was saved.' : error.message;
  process.stderr.write(sentence.includes(name) ? `${sentence}\n` : `${name}: ${sentence}\n`);
  process.exitCode = 1;
  return null;
}

function reportFolder(error: unknown, folder: string): void {
  reportFailure(explainFileError(error, folder), folder);
}

/** Reports that a source was saved without embeddings, which is not a failure: they are made later. */
function reportEmbedding(reason: string, name: string): void {
  process.stderr.write(`${name}: ${reason}\n`);
}

function withOptions(capture: Capture, { title, url, tag, note, wholePage }: Options): Capture {
  return {
    ...capture,
    title: title ?? capture.title,
    ...(title === undefined ? {} : { ownTitle: true }),
    url: url ?? capture.url,
    tags: tag ?? capture.tags,
    note: note ?? capture.note,
    ...(wholePage ? { extract: 'page' } : {}),
  };
}

const STATUS_LABELS = {
  created: { format: 'green', text: 'Saved' },
  duplicate: { format: 'yellow', text: 'Already saved' },
  updated: { format: 'green', text: 'Added to' },
} as const;

async function report(call: CallOperation, { captures, warnings = [] }: CaptureAnswer): Promise<void> {
  for (const { id, title, status, merged = [] } of captures) {
    const length = status === 'duplicate' ? '' : await describeLength(call, id);
    const { format, text } = STATUS_LABELS[status];
    print(`${style(format, text)} ${style('bold', inert(title))} ${style('dim', `${length}${shownId(id)}`)}`);
    if (merged.length > 0) print(`  It has the new ${new Intl.ListFormat('en').format(merged)}.`);
  }
  for (const warning of warnings) process.stderr.write(`${warning}\n`);
}

/** The number of words of a memory; nothing if the memory was deleted in the meantime. */
async function describeLength(call: CallOperation, id: string): Promise<string> {
  const memory = await call('getMemory', { parameters: { id } }).catch(() => null);
  return memory === null ? '' : `${count(countWords(memory.text), 'word')}, `;
}

/** @example summarise(answers, 56, 15_000) // '54 saved, 2 failed in 15 s' */
function summarise(answers: readonly CaptureAnswer[], all: number, milliseconds: number): string {
  const known = answers.filter(({ captures }) => captures.every(({ status }) => status === 'duplicate')).length;
  const numbers = { saved: answers.length - known, 'already saved': known, failed: all - answers.length };
  const parts = Object.entries(numbers).flatMap(([name, number]) =>
    number === 0 && name !== 'saved' ? [] : [`${number.toLocaleString('en')} ${name}`],
  );
  return `${parts.join(', ')} in ${Math.max(1, Math.round(milliseconds / 1_000))} s`;
}
