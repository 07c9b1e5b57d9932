import { confirm, isCancel } from '@clack/prompts';
import type { TrashAnswer } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { count } from '@recollect/contract/text';
import type { RecollectError } from '@recollect/core';
import type { CallOperation } from '../executor/executor.js';
import { resolveMemoryId } from '../memory-references.js';
import { ago, inert, print, printJson, style } from '../terminal/output.js';
import { printMemories } from '../terminal/print.js';
import { shownId } from '../terminal/short-id.js';
import { withAdvice } from './advice.js';
import {
  type AddCommand,
  forEachId,
  InvalidOptionError,
  integerInRange,
  reportFailure,
  withExecutor,
} from './command.js';

export const addUndelete: AddCommand = (program) => {
  program
    .command('undelete')
    .description('restore a memory from the trash')
    .argument('<id>', 'memory id, as shown when it was deleted or forgotten')
    .option('--json', 'print JSON')
    .action(undelete);
};

async function undelete(typed: string, { json }: { json?: boolean }): Promise<void> {
  await withExecutor(async ({ call, embed }) => {
    const id = await resolveMemoryId(call, typed);
    const memory = await call('restoreMemory', { parameters: { id } });
    if (memory.embedding.state === 'pending') await embed({ isQuiet: json === true });
    if (json) printJson(memory);
    else
      print(`${style('green', 'Restored')} ${style('bold', inert(memory.title))} ${style('dim', shownId(memory.id))}`);
  });
}

const { minimum, maximum } = limits.memories.page;
const NOT_IN_TRASH = 'There is no memory with this id in the trash. recollect trash lists it.';

export const addTrash: AddCommand = (program) => {
  const trash = program
    .command('trash')
    .description('list, restore and permanently delete what is in the trash')
    .option('--limit <number>', 'maximum number of memories', integerInRange('--limit', minimum, maximum), 20)
    .option('--json', 'print JSON')
    .action(list);
  trash
    .command('restore')
    .description('take memories out of the trash')
    .argument('<ids...>', 'memory ids, as printed by recollect trash')
    .option('--json', 'print JSON')
    .action(restore);
  trash
    .command('empty')
    .description('permanently delete what is in the trash, or only some of it')
    .argument('[ids...]', 'memory ids, as printed by recollect trash; without them, all')
    .option('--yes', 'delete without asking')
    .option('--json', 'print JSON; requires --yes')
    .action(empty);
};

async function list({ limit, json }: { limit: number; json?: boolean }): Promise<void> {
  await withExecutor(async ({ call }) => {
    const answer = await call('listTrash', { query: { limit } });
    if (json) return printJson(answer);
    const { memories, total } = answer;
    if (memories.length === 0) return print('The trash is empty.');
    await printMemories(
      [
        { title: 'deleted', width: 14 },
        { title: 'days left', width: 9 },
      ],
      memories.map(({ deletedAt, daysLeft, title, id }) => ({ id, title, cells: [ago(deletedAt), String(daysLeft)] })),
    );
    if (total > memories.length) print(`\n${memories.length} of ${total} are shown. --limit ${maximum} shows more.`);
  });
}

async function restore(ids: string[], { json }: { json?: boolean }): Promise<void> {
  await withExecutor(async ({ call, embed }) => {
    const restored = await forEachId(ids, async (typed) => {
      const id = await resolveMemoryId(call, typed);
      const { title, embedding } = await withAdvice(
        call('restoreMemory', { parameters: { id } }),
        ({ code }: RecollectError) => (code === 'NOT_FOUND' ? 'recollect trash lists it.' : null),
      );
      if (!json) print(`${style('green', 'Restored')} ${style('bold', inert(title))} ${style('dim', shownId(id))}`);
      return { id, isPending: embedding.state === 'pending' };
    });
    if (restored.some(({ isPending }) => isPending)) await embed({ isQuiet: json === true });
    if (json) printJson({ restored: restored.map(({ id }) => id) });
  });
}

async function empty(ids: string[], { yes = false, json = false }: { yes?: boolean; json?: boolean }): Promise<void> {
  if (json && !yes) throw new InvalidOptionError('--json cannot ask for confirmation. Add --yes.');
  if (!yes && !process.stdin.isTTY) {
    throw new InvalidOptionError('Nothing was deleted. To delete permanently without being asked, add --yes.');
  }
  await withExecutor(async ({ call }) => {
    const { number, selection } = ids.length === 0 ? await selectAll(call) : await selectTrashed(call, ids);
    const isWanted = number > 0 && (yes || (await confirmDeletion(number)));
    const answer = isWanted ? await call('emptyTrash', { body: selection }) : { deleted: 0 };
    if (json) return printJson(answer);
    if (number === 0 && ids.length === 0) return print('The trash is empty.');
    if (!isWanted) return print('Nothing was deleted.');
    print(`${count(answer.deleted, 'memory', 'memories')} permanently deleted.`);
  });
}

interface Selected {
  number: number;
  selection: { ids?: string[]; deletedBefore?: string | undefined };
}

async function confirmDeletion(number: number): Promise<boolean> {
  const message = `Permanently delete ${count(number, 'memory', 'memories')}? This cannot be undone.`;
  const answer = await confirm({ message, initialValue: false, output: process.stderr });
  return !isCancel(answer) && answer;
}

/** Everything in the trash now. Memories that are deleted during the question stay. */
async function selectAll(call: CallOperation): Promise<Selected> {
  const { memories, total } = await call('listTrash', { query: { limit: 1 } });
  const [newest] = memories;
  const deletedBefore = newest && new Date(Date.parse(newest.deletedAt) + 1).toISOString();
  return { number: total, selection: { deletedBefore } };
}

/** The given ids that are in the trash. Reports the others. */
async function selectTrashed(call: CallOperation, typed: readonly string[]): Promise<Selected> {
  const ids = await forEachId(typed, (id) => resolveMemoryId(call, id));
  const missing = new Set(ids);
  let cursor: TrashAnswer['nextCursor'] | undefined;
  while (cursor !== null && missing.size > 0) {
    const page: TrashAnswer = await call('listTrash', { query: { limit: maximum, cursor } });
    for (const { id } of page.memories) missing.delete(id);
    cursor = page.nextCursor;
  }
  for (const id of missing) reportFailure(inert(id), NOT_IN_TRASH);
  const present = [...new Set(ids)].filter((id) => !missing.has(id));
  return { number: present.length, selection: { ids: present } };
}
