import type { Highlight } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { clipText } from '@recollect/contract/text';
import { type Core, LOCAL_USER } from '@recollect/core';
import { inert, print, printJson, style } from '../terminal/output.js';
import { adviseMemoryId, withAdvice } from './advice.js';
import { type AddCommand, InvalidOptionError, withRecollect } from './command.js';

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
    .addHelpText(
      'after',
      '\nExamples:\n  recollect highlights\n  recollect highlights water temperature\n  recollect highlights --markdown > highlights.md',
    )
    .action(list);
};

async function list(words: string[], { memory, markdown, json }: Options): Promise<void> {
  if (markdown && json) throw new InvalidOptionError('Pass either --markdown or --json.');
  await withRecollect(async ({ core }) => {
    if (memory !== undefined) await withAdvice(core.memories.get(LOCAL_USER, memory), adviseMemoryId);
    const highlights = await readAll(core, { memoryId: memory, query: words.join(' ') });
    if (json) return printJson({ highlights });
    if (markdown) return printMarkdown(core, highlights);
    if (highlights.length === 0) return print('No highlights found. Mark a passage in the web app: recollect open');
    for (const highlight of highlights) print(`${describe(highlight)}\n`);
  });
}

async function readAll(core: Core, options: { memoryId: string | undefined; query: string }): Promise<Highlight[]> {
  const found: Highlight[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await core.highlights.list(LOCAL_USER, { ...options, limit: limits.memories.page.maximum, cursor });
    found.push(...page.highlights);
    cursor = page.nextCursor;
  }
  return found;
}

function describe({ quote, note, title, memoryId }: Highlight): string {
  return [
    clipText(oneLine(quote), limits.query.excerptLength),
    ...(note === null ? [] : [`  ${style('yellow', clipText(oneLine(note), limits.query.excerptLength))}`]),
    `  ${style('cyan', oneLine(title))} ${style('dim', memoryId)}`,
  ].join('\n');
}

async function printMarkdown({ memories }: Core, highlights: readonly Highlight[]): Promise<void> {
  const groups = Map.groupBy(highlights, ({ memoryId }) => memoryId);
  const blocks: string[] = [];
  for (const [id, marked] of groups) {
    const url = await memories.get(LOCAL_USER, id).then(
      (memory) => memory.url,
      () => null,
    );
    blocks.push(`## ${oneLine(marked[0]?.title ?? '')}`, ...(url === null ? [] : [`<${inert(url)}>`]));
    for (const { quote, note } of marked) {
      blocks.push(asQuote(inert(quote)), ...(note === null ? [] : [inert(note)]));
    }
  }
  if (blocks.length > 0) print(blocks.join('\n\n'));
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
