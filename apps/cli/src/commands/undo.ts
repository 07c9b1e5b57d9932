import { followUndo } from '@recollect/contract/follow-change';
import { count } from '@recollect/contract/text';
import { resolveChangeId } from '../memory-references/resolve-id.js';
import { print, printJson } from '../terminal/output.js';
import { undoAdvice, withAdvice } from './advice.js';
import { type AddCommand, withExecutor } from './command.js';
import { followWith } from './follow-change.js';

export const addUndo: AddCommand = (program) => {
  program
    .command('undo')
    .description('undo a change of one or many memories')
    .argument('<change>', 'change id, as printed by the command that made the change and by history')
    .option('--json', 'print JSON')
    .action(undo);
};

async function undo(typed: string, { json }: { json?: boolean }): Promise<void> {
  await withExecutor(async ({ call, embed }) => {
    const changeId = await resolveChangeId(call, typed);
    const before = await call('reindexState', {});
    const started = await withAdvice(call('undoChange', { parameters: { id: changeId }, query: {} }), ({ code }) =>
      code === 'NOT_FOUND' ? 'recollect history ID lists the changes of a memory.' : null,
    );
    const answer = await followUndo(started, followWith(call, json));
    const { changed, skipped, changeId: undoId } = answer;
    const { withoutEmbeddings } = await call('reindexState', {});
    if (withoutEmbeddings > before.withoutEmbeddings) await embed({ isQuiet: json === true });
    if (skipped > 0) process.exitCode = 1;
    if (json) return printJson(answer);
    if (undoId !== null) print(`Undone for ${count(changed, 'memory', 'memories')}. ${undoAdvice(undoId)}`);
    if (skipped === 0) return;
    const reason = 'changed again since, permanently deleted, or changed too long ago';
    process.stderr.write(`Not undone for ${count(skipped, 'memory', 'memories')}: ${reason}.\n`);
  });
}
