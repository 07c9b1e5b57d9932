import { count } from '@recollect/contract/text';
import { LOCAL_USER } from '@recollect/core';
import { embedRest } from '../run-indexing.js';
import { print, printJson } from '../terminal/output.js';
import { undoAdvice, withAdvice } from './advice.js';
import { type AddCommand, COMMAND_LINE, withRecollect } from './command.js';

export const addUndo: AddCommand = (program) => {
  program
    .command('undo')
    .description('undo a change of one or many memories')
    .argument('<change>', 'change id, as printed by the command that made the change and by history')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nA change can be undone for 30 days. Memories that were changed again since are skipped.\n\nExample:\n  recollect undo 019f0c1e-7d3a-7000-8a51-3c1b2f4d5e6f',
    )
    .action(undo);
};

async function undo(changeId: string, { json }: { json?: boolean }): Promise<void> {
  await withRecollect(async (recollect) => {
    const { core, embeddingModel } = recollect;
    const before = await core.indexing.state(LOCAL_USER);
    const answer = await withAdvice(core.bulk.undo(LOCAL_USER, changeId, COMMAND_LINE), ({ code }) =>
      code === 'NOT_FOUND' ? 'recollect history ID lists the changes of a memory.' : null,
    );
    const { changed, skipped, changeId: undoId } = answer;
    const { withoutEmbeddings } = await core.indexing.state(LOCAL_USER);
    if (embeddingModel !== null && withoutEmbeddings > before.withoutEmbeddings) {
      await embedRest(recollect, json === true);
    }
    if (skipped > 0) process.exitCode = 1;
    if (json) return printJson(answer);
    if (undoId !== null) print(`Undone for ${count(changed, 'memory', 'memories')}. ${undoAdvice(undoId)}`);
    if (skipped === 0) return;
    const reason = 'changed again since, permanently deleted, or changed over 30 days ago';
    process.stderr.write(`Not undone for ${count(skipped, 'memory', 'memories')}: ${reason}.\n`);
  });
}
