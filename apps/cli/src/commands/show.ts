import type { MemoryDetail } from '@recollect/contract';
import { propertiesOf } from '@recollect/contract/properties';
import { count, countWords, describeActor } from '@recollect/contract/text';
import type { CallOperation } from '../executor/executor.js';
import { readMemory, resolveMemoryId } from '../memory-references.js';

import { factLine, inert, localTime, printJson, style } from '../terminal/output.js';
import { printLong } from '../terminal/print.js';
import { shownId } from '../terminal/short-id.js';
import { type AddCommand, withExecutor } from './command.js';

export const addShow: AddCommand = (program) => {
  program
    .command('show')
    .description('print a memory with its full text')
    .argument('<id>', 'memory id, the beginning of one, or @1 for the first memory of the last list')
    .option('--json', 'print JSON')
    .action(show);
};

const EMBEDDINGS: Readonly<Record<string, string>> = { embedded: 'made', pending: 'not made yet', off: 'no model' };

async function show(typed: string, { json }: { json?: boolean }): Promise<void> {
  await withExecutor(async ({ call }) => {
    const id = await resolveMemoryId(call, typed);
    const memory = await readMemory(call, id);
    if (json) return printJson(memory);
    const facts = {
      from: memory.url ?? memory.sourceType,
      captured: localTime(memory.capturedAt),
      tags: memory.tags.join(', '),
      starred: memory.starred ? 'yes' : '',
      read: describeReading(memory),
      place: memory.place,
      note: memory.note ?? '',
      'saved by': memory.savedBy === null ? readClient(memory) : describeActor(memory.savedBy),
      length: count(countWords(memory.text), 'word'),
      embeddings: EMBEDDINGS[memory.embedding.state] ?? '',
    };
    // Properties of the page come after the facts and keep off their names.
    const properties = propertiesOf(memory.metadata).map(([name, value]) => [
      Object.hasOwn(facts, plainName(name)) ? `${name} (front matter)` : name,
      value,
    ]);
    const related = await readRelated(call, memory);
    const proposed = readProposed(memory);
    const dim = (line: string) => style('dim', line);
    await printLong(
      [
        style('bold', inert(memory.title)),
        ...(memory.warning === null ? [] : [style('red', inert(memory.warning))]),
        ...[...Object.entries(facts), ...properties].flatMap(([name = '', value = '']) =>
          value === '' ? [] : [dim(factLine(name, value))],
        ),
        ...memory.otherCaptures.map((other) =>
          dim(`also saved: ${inert(other.title)} ${localTime(other.capturedAt)} ${shownId(other.id)}`),
        ),
        ...(proposed === '' ? [] : [dim(`proposed tags: ${inert(proposed)}`)]),
        ...related.map((other) => dim(`related: ${inert(other.title)} ${shownId(other.id)}`)),
        '',
        inert(memory.text),
        ...describeComments(memory),
      ].join('\n'),
    );
  });
}

/** Reduces a name to its visible characters, for a comparison. */
function plainName(name: string): string {
  return inert(name)
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}

/** The comments below the page, under a heading that says whose words they are; none without comments. */
function describeComments({ comments }: MemoryDetail): string[] {
  if (comments.length === 0) return [];
  return [
    '',
    style('bold', `${count(comments.length, 'comment')} by other people`),
    ...comments.flatMap(({ author, published, text }) => [
      '',
      style('dim', [inert(author) || 'Unknown', ...(published === undefined ? [] : [localTime(published)])].join(', ')),
      inert(text),
    ]),
  ];
}

/** How much of it was read; empty if nothing. */
function describeReading({ readState, progress }: MemoryDetail): string {
  if (readState === 'unread') return '';
  return readState === 'read' ? 'yes' : `${Math.round(progress * 100)} %`;
}

/** The assistant that saved it, for memories from before `savedBy` was recorded. */
function readClient({ sourceApp, metadata }: MemoryDetail): string {
  const { client } = metadata as { client?: { name?: unknown; version?: unknown } };
  return sourceApp === 'mcp' && typeof client?.name === 'string' ? `${client.name} ${client.version ?? ''}`.trim() : '';
}

/** The nearest memories that the plugin `related` recorded, without those deleted since. */
async function readRelated(call: CallOperation, { metadata }: MemoryDetail): Promise<{ id: string; title: string }[]> {
  const { plugins } = metadata as { plugins?: { related?: { links?: { id?: unknown }[] } } };
  const links = plugins?.related?.links;
  if (!Array.isArray(links)) return [];
  const memories = await Promise.all(
    links.map(({ id }) => call('getMemory', { parameters: { id: String(id) } }).catch(() => null)),
  );
  return memories.filter((memory) => memory !== null);
}

/** Tags that the plugin `auto-tag` was not confident enough to add. */
function readProposed({ metadata }: MemoryDetail): string {
  const { plugins } = metadata as {
    plugins?: { 'auto-tag'?: { proposed?: { tag?: unknown; confidence?: unknown }[] } };
  };
  const proposed = plugins?.['auto-tag']?.proposed;
  if (!Array.isArray(proposed)) return '';
  return proposed.map(({ tag, confidence }) => `${tag} (${confidence})`).join(', ');
}
