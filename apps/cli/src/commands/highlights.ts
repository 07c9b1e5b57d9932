import type { Highlight, HighlightList } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { clipText } from '@recollect/contract/text';
import type { CallOperation } from '../executor/executor.js';
import { readMemory, resolveMemoryId } from '../memory-references.js';

import { inert, print, printJson, style } from '../terminal/output.js';
import { colourMatches, printLong } from '../terminal/print.js';
import { shownId } from '../terminal/short-id.js';
import { type AddCommand, InvalidOptionError, withExecutor } from './command.js';

interface Options {
  memory?: string;
  markdown?: boolean;
  json?: boolean;
}

export const addHighlights: AddCommand = (program) => {
  program
    .command('highlights')
    .description('list the passages that you marked, newest first')
    .argument('[words...]', 'only passages that contain these words, or whose notes do')
    .option('--memory <id>', 'only of this memory')
    .option('--markdown', 'print them in full as Markdown, grouped by memory')
    .option('--json', 'print JSON')
    .action(list);
};

async function list(words: string[], { memory, markdown, json }: Options): Promise<void> {
  if (markdown && json) throw new InvalidOptionError('Pass either --markdown or --json.');
  await withExecutor(async ({ call }) => {
    const id = memory === undefined ? undefined : await resolveMemoryId(call, memory);
    if (id !== undefined) await readMemory(call, id);
    const highlights = await readAll(call, { memoryId: id, q: words.join(' ') || undefined });
    if (json) return printJson({ highlights });
    if (markdown) return printMarkdown(call, highlights);
    if (highlights.length === 0) return print('No highlights found. Mark a passage in the web app: recollect open');
    for (const highlight of highlights) print(`${formatHighlight(highlight, words.join(' '))}\n`);
  });
}

async function readAll(
  call: CallOperation,
  filter: { memoryId: string | undefined; q: string | undefined },
): Promise<Highlight[]> {
  const highlights: Highlight[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const query = { ...filter, limit: limits.memories.page.maximum, cursor };
    const page: HighlightList = await call('listHighlights', { query });
    highlights.push(...page.highlights);
    cursor = page.nextCursor;
  }
  return highlights;
}

/** A passage with its note and memory, in two or three lines. */
export function formatHighlight({ quote, note, title, memoryId }: Highlight, words: string): string {
  return [
    colourMatches(clipText(oneLine(quote), limits.query.excerptLength), words),
    ...(note === null ? [] : [`  ${style('yellow', clipText(oneLine(note), limits.query.excerptLength))}`]),
    `  ${style('cyan', oneLine(title))} ${style('dim', shownId(memoryId))}`,
  ].join('\n');
}

async function printMarkdown(call: CallOperation, highlights: readonly Highlight[]): Promise<void> {
  const groups = Map.groupBy(highlights, ({ memoryId }) => memoryId);
  const blocks: string[] = [];
  for (const [id, marked] of groups) {
    const url = await call('getMemory', { parameters: { id } }).then(
      (memory) => memory.url,
      () => null,
    );
    blocks.push(`## ${oneLine(marked[0]?.title ?? '')}`, ...(url === null ? [] : [`<${inert(url)}>`]));
    for (const { quote, note } of marked) {
      blocks.push(asQuote(inert(quote)), ...(note === null ? [] : [inert(note)]));
    }
  }
  if (blocks.length > 0) await printLong(blocks.join('\n\n'));
}

function asQuote(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

function oneLine(text: string): string {
  return inert(text.replace(/\s+/g, ' '));
}
