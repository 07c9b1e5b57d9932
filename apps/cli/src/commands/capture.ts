import type { Capture, CaptureAnswer } from '@recollect/contract';
import { LOCAL_USER, RecollectError } from '@recollect/core';
import type { Recollect } from '../compose.js';
import { readSource } from '../read-source.js';
import { runIndexing } from '../run-indexing.js';
import { count, inert, print, printJson, style } from '../terminal/output.js';
import { showProgress } from '../terminal/progress.js';
import { type AddCommand, InvalidOptionError, withRecollect } from './command.js';

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
    .argument('[sources...]', 'addresses, files, or - for standard input')
    .option('--title <text>', 'title, for a single source')
    .option('--url <address>', 'where it came from, for a single source')
    .option('--tag <tag>', 'a tag; may be given several times', (tag: string, tags: string[] = []) => [...tags, tag])
    .option('--note <text>', 'a note of your own')
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
    throw new InvalidOptionError('Name what to capture: an address, a file, or - for standard input.');
  if (sources.length > 1 && (options.title !== undefined || options.url !== undefined)) {
    throw new InvalidOptionError('--title and --url go with a single source.');
  }
  await withRecollect(async (recollect) => {
    const isQuiet = options.json === true;
    const bar = showProgress(sources.length, isQuiet);
    const answers: CaptureAnswer[] = [];
    let hasModelFailed = false;
    const note = (error: unknown, source: string) => {
      hasModelFailed ||= error instanceof RecollectError && error.code === 'EMBEDDING_FAILED';
      return tell(error, source);
    };
    for (const [index, source] of sources.entries()) {
      bar.update(index, source);
      const answer = await captureOne(recollect, source, options).catch((error) => note(error, source));
      if (answer === null) continue;
      answers.push(answer);
      if (!isQuiet) report(answer);
    }
    bar.stop(`${count(answers.length, 'source', 'sources')} saved`);
    // A model that has just failed is not asked again.
    if (!hasModelFailed) await embedRest(recollect, answers, isQuiet);
    if (isQuiet && answers.length > 0) printJson(sources.length === 1 ? answers[0] : answers);
  });
}

async function captureOne({ core }: Recollect, source: string, options: Options): Promise<CaptureAnswer> {
  const capture = withOptions(await readSource(source), options);
  const { Capture: schema, validate } = await import('@recollect/contract');
  const [fault] = validate(schema, capture);
  if (fault !== undefined) throw new RecollectError('VALIDATION_FAILED', `${fault.pointer.slice(1)} ${fault.message}.`);
  return (await core.capture(LOCAL_USER, [capture])).answer;
}

/** Tells of a source that failed, so that the others go on. What was saved before its embeddings failed is an answer. */
function tell(error: unknown, source: string): CaptureAnswer | null {
  if (!(error instanceof RecollectError)) throw error;
  const name = source === '-' ? 'Standard input' : source;
  const sentence = error.code === 'CAPTURE_EMPTY' ? 'There is no text in it; nothing was saved.' : error.message;
  process.stderr.write(sentence.includes(name) ? `${sentence}\n` : `${name}: ${sentence}\n`);
  process.exitCode = 1;
  const { imported, captures, hooksTriggered } = error.extension as Partial<CaptureAnswer>;
  return imported && captures ? { imported, captures, hooksTriggered: hooksTriggered ?? 0 } : null;
}

/** What was too long to be embedded at once is embedded now: without a server nobody else would. */
async function embedRest(recollect: Recollect, answers: readonly CaptureAnswer[], isQuiet: boolean): Promise<void> {
  if (recollect.embeddingModel === null || !answers.some(({ imported }) => imported.embeddingsSkipped)) return;
  const { status, message } = await runIndexing(recollect, { isQuiet });
  if (status !== 'completed' && !isQuiet) print(`Found by word for now. ${message}`);
}

function withOptions(capture: Capture, { title, url, tag, note }: Options): Capture {
  return {
    ...capture,
    ...(title === undefined ? {} : { title }),
    ...(url === undefined ? {} : { url }),
    ...(tag === undefined ? {} : { tags: tag }),
    ...(note === undefined ? {} : { note }),
  };
}

const REPORTED = {
  created: { format: 'green', text: 'Saved' },
  duplicate: { format: 'yellow', text: 'Already saved' },
  updated: { format: 'green', text: 'Added to' },
} as const;

function report({ captures, imported }: CaptureAnswer): void {
  for (const { id, title, status } of captures) {
    const details = status === 'duplicate' ? id : `${count(imported.chunks, 'chunk', 'chunks')}, ${id}`;
    const { format, text } = REPORTED[status];
    print(`${style(format, text)} ${style('bold', inert(title))} ${style('dim', details)}`);
  }
}
