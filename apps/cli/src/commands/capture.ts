import type { Capture, CaptureAnswer } from '@recollect/contract';
import { count } from '@recollect/contract/text';
import { type CaptureOutcome, LOCAL_USER, RecollectError } from '@recollect/core';
import type { Recollect } from '../compose.js';
import { readSource } from '../read-source.js';
import { runIndexing } from '../run-indexing.js';
import { inert, print, printJson, style } from '../terminal/output.js';
import { showProgress } from '../terminal/progress.js';
import { type AddCommand, addValue, COMMAND_LINE, InvalidOptionError, withRecollect } from './command.js';

interface Options {
  title?: string;
  url?: string;
  tag?: string[];
  note?: string;
  json?: boolean;
}

export const addCapture: AddCommand = (program) => {
  program
    .command('capture')
    .description('save web pages, files (text, Markdown, HTML) or standard input')
    .argument('[sources...]', 'URLs, files, or - for standard input')
    .option('--title <text>', 'title, for a single source')
    .option('--url <url>', 'source URL, for a single source')
    .option('--tag <tag>', 'a tag; repeat for several', addValue)
    .option('--note <text>', 'your own note')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  recollect capture https://example.com/article\n  recollect capture notes.md ideas.txt --tag project\n  pbpaste | recollect capture - --title "Recipe"',
    )
    .action((sources: string[], options: Options) => capture(sources, options));
};

async function capture(given: readonly string[], options: Options): Promise<void> {
  const sources = given.length > 0 || process.stdin.isTTY ? given : ['-'];
  if (sources.length === 0)
    throw new InvalidOptionError('Nothing to capture. Pass a URL, a file, or - for standard input.');
  if (sources.length > 1 && (options.title !== undefined || options.url !== undefined)) {
    throw new InvalidOptionError('--title and --url accept only a single source. Capture the sources one at a time.');
  }
  await withRecollect(async (recollect) => {
    const isQuiet = options.json === true;
    const bar = showProgress(sources.length, isQuiet);
    const outcomes: CaptureOutcome[] = [];
    for (const [index, source] of sources.entries()) {
      bar.update(index, source);
      const outcome = await captureOne(recollect, source, options).catch((error) => reportFailure(error, source));
      if (outcome === null) continue;
      outcomes.push(outcome);
      if (!isQuiet) report(outcome.answer);
      if (outcome.failure !== null) reportEmbedding(outcome.failure.reason, source);
    }
    bar.stop(`${count(outcomes.length, 'source', 'sources')} saved`);
    await embedMissing(recollect, outcomes, isQuiet);
    const answers = outcomes.map(({ answer }) => answer);
    if (isQuiet && answers.length > 0) printJson(sources.length === 1 ? answers[0] : answers);
  });
}

async function captureOne({ core }: Recollect, source: string, options: Options): Promise<CaptureOutcome> {
  const capture = withOptions(await readSource(source), options);
  const { Capture: schema, validate } = await import('@recollect/contract');
  const [fault] = validate(schema, capture);
  if (fault !== undefined) throw new RecollectError('VALIDATION_FAILED', `${fault.pointer.slice(1)} ${fault.message}.`);
  return core.capture(LOCAL_USER, [capture], { by: COMMAND_LINE });
}

/** Reports a source that was not saved, and lets the others continue. */
function reportFailure(error: unknown, source: string): null {
  if (!(error instanceof RecollectError)) throw error;
  const name = nameOf(source);
  const sentence = error.code === 'CAPTURE_EMPTY' ? 'No text found. Nothing was saved.' : error.message;
  process.stderr.write(sentence.includes(name) ? `${sentence}\n` : `${name}: ${sentence}\n`);
  process.exitCode = 1;
  return null;
}

/** Reports that a source was saved without embeddings. */
function reportEmbedding(reason: string, source: string): void {
  const later = 'It is saved and found by word; its embeddings are made later.';
  process.stderr.write(`${nameOf(source)}: ${reason} ${later}\n`);
  process.exitCode = 1;
}

function nameOf(source: string): string {
  return source === '-' ? 'Standard input' : source;
}

/** Embeds what was too long for one request, because without a server no one else would. */
async function embedMissing(
  recollect: Recollect,
  outcomes: readonly CaptureOutcome[],
  isQuiet: boolean,
): Promise<void> {
  // A model that has just failed is not called again.
  if (recollect.embeddingModel === null || outcomes.some(({ embedding }) => embedding === 'failed')) return;
  if (!outcomes.some(({ embedding }) => embedding === 'queued')) return;
  const { status, message } = await runIndexing(recollect, { isQuiet });
  if (status !== 'completed' && !isQuiet) print(`For now, only full-text search finds it. ${message}`);
}

function withOptions(capture: Capture, { title, url, tag, note }: Options): Capture {
  return {
    ...capture,
    title: title ?? capture.title,
    url: url ?? capture.url,
    tags: tag ?? capture.tags,
    note: note ?? capture.note,
  };
}

const STATUS_LABELS = {
  created: { format: 'green', text: 'Saved' },
  duplicate: { format: 'yellow', text: 'Already saved' },
  updated: { format: 'green', text: 'Added to' },
} as const;

function report({ captures, imported }: CaptureAnswer): void {
  for (const { id, title, status } of captures) {
    const details = status === 'duplicate' ? id : `${count(imported.chunks, 'chunk', 'chunks')}, ${id}`;
    const { format, text } = STATUS_LABELS[status];
    print(`${style(format, text)} ${style('bold', inert(title))} ${style('dim', details)}`);
  }
}
