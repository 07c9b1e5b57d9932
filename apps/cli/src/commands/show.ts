import { count, describeActor } from '@recollect/contract/text';
import { type Core, LOCAL_USER } from '@recollect/core';
import { inert, print, printJson, style } from '../terminal/output.js';
import { adviseMemoryId, withAdvice } from './advice.js';
import { type AddCommand, withRecollect } from './command.js';

export const addShow: AddCommand = (program) => {
  program
    .command('show')
    .description('print a memory with its full text')
    .argument('<id>', 'memory id, as printed by search and recent')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  recollect show 019f0c1e-7d3a-7000-8a51-3c1b2f4d5e6f | less')
    .action(show);
};

const EMBEDDINGS: Readonly<Record<string, string>> = { embedded: 'made', pending: 'not made yet', off: 'no model' };

async function show(id: string, { json }: { json?: boolean }): Promise<void> {
  await withRecollect(async ({ core }) => {
    const memory = await withAdvice(core.memories.get(LOCAL_USER, id), adviseMemoryId);
    if (json) return printJson(memory);
    const facts = {
      from: memory.url ?? memory.sourceType,
      captured: memory.capturedAt,
      tags: memory.tags.join(', '),
      note: memory.note ?? '',
      'saved by': memory.savedBy === null ? readClient(memory) : describeActor(memory.savedBy),
      index: `${count(memory.chunks, 'chunk')}, embeddings: ${EMBEDDINGS[memory.embedding.state]}`,
    };
    const related = await readRelated(core, memory);
    const proposed = readProposed(memory);
    print(style('bold', inert(memory.title)));
    for (const [name, value] of Object.entries(facts))
      if (value !== '') print(style('dim', `${name}: ${inert(value)}`));
    for (const { id: other, title, capturedAt } of memory.otherCaptures)
      print(style('dim', `also saved: ${inert(title)} ${capturedAt.slice(0, 10)} ${other}`));
    if (proposed !== '') print(style('dim', `proposed tags: ${inert(proposed)}`));
    for (const { id: other, title } of related) print(style('dim', `related: ${inert(title)} ${other}`));
    print(`\n${inert(memory.text)}`);
  });
}

/** The assistant that saved it, for memories from before `savedBy` was recorded. */
function readClient({ sourceApp, metadata }: Awaited<ReturnType<Core['memories']['get']>>): string {
  const { client } = metadata as { client?: { name?: unknown; version?: unknown } };
  return sourceApp === 'mcp' && typeof client?.name === 'string' ? `${client.name} ${client.version ?? ''}`.trim() : '';
}

/** The nearest memories that the plugin `related` recorded, without those deleted since. */
async function readRelated(
  { memories }: Core,
  { metadata }: Awaited<ReturnType<Core['memories']['get']>>,
): Promise<{ id: string; title: string }[]> {
  const { plugins } = metadata as { plugins?: { related?: { links?: { id?: unknown }[] } } };
  const links = plugins?.related?.links;
  if (!Array.isArray(links)) return [];
  const found = await Promise.all(links.map(({ id }) => memories.get(LOCAL_USER, String(id)).catch(() => null)));
  return found.filter((memory) => memory !== null);
}

/** Tags that the plugin `auto-tag` was not confident enough to add. */
function readProposed({ metadata }: Awaited<ReturnType<Core['memories']['get']>>): string {
  const { plugins } = metadata as {
    plugins?: { 'auto-tag'?: { proposed?: { tag?: unknown; confidence?: unknown }[] } };
  };
  const proposed = plugins?.['auto-tag']?.proposed;
  if (!Array.isArray(proposed)) return '';
  return proposed.map(({ tag, confidence }) => `${tag} (${confidence})`).join(', ');
}
