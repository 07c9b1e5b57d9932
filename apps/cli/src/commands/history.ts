import type { Actor, HistoryAnswer } from '@recollect/contract';
import { describeActor } from '@recollect/contract/text';
import { LOCAL_USER } from '@recollect/core';
import { inert, print, printJson, style } from '../terminal/output.js';
import { adviseMemoryId, withAdvice } from './advice.js';
import { type AddCommand, withRecollect } from './command.js';

export const addHistory: AddCommand = (program) => {
  program
    .command('history')
    .description('show who saved a memory, and what was done to it since')
    .argument('<id>', 'memory id, as printed by search and recent')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  recollect history 019f0c1e-7d3a-7000-8a51-3c1b2f4d5e6f')
    .action(showHistory);
};

async function showHistory(id: string, { json }: { json?: boolean }): Promise<void> {
  await withRecollect(async ({ core }) => {
    const { title, capturedAt, savedBy } = await withAdvice(core.memories.get(LOCAL_USER, id), adviseMemoryId);
    const { history } = await core.memories.history(LOCAL_USER, id);
    if (json) return printJson({ capturedAt, savedBy, history });
    print(style('bold', inert(title)));
    for (const entry of history) {
      const what = `${describe(entry)}${byActor(entry.by)}`;
      print(`${minuteOf(entry.at)}  ${what} ${style('dim', entry.changeId)}`);
    }
    print(`${minuteOf(capturedAt)}  saved${byActor(savedBy)}`);
    if (history.length > 0) print('\nUndo a change with: recollect undo CHANGE');
  });
}

const KINDS = { captured: 'saved again', edited: 'changed', deleted: 'deleted', restored: 'restored' } as const;

function describe({ kind, fields }: HistoryAnswer['history'][number]): string {
  return kind === 'edited' && fields.length > 0 ? `changed ${fields.join(', ')}` : KINDS[kind];
}

function byActor(actor: Actor | null): string {
  return actor === null ? '' : ` by ${inert(describeActor(actor))}`;
}

/** An instant to the minute, such as `2026-01-31T09:30Z`. */
function minuteOf(instant: string): string {
  return `${instant.slice(0, 16)}Z`;
}
