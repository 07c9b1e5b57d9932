import { LOCAL_USER } from '@recollect/core';
import { inert, print, printJson, style } from '../terminal/output.js';
import { type AddCommand, COMMAND_LINE, withRecollect } from './command.js';

export const addUndelete: AddCommand = (program) => {
  program
    .command('undelete')
    .description('restore a memory from the trash')
    .argument('<id>', 'memory id, as shown when it was deleted or forgotten')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  recollect undelete 019f0c1e-7d3a-7000-8a51-3c1b2f4d5e6f')
    .action(undelete);
};

async function undelete(id: string, { json }: { json?: boolean }): Promise<void> {
  await withRecollect(async ({ core }) => {
    const memory = await core.memories.restore(LOCAL_USER, id, COMMAND_LINE);
    if (json) printJson(memory);
    else print(`${style('green', 'Restored')} ${style('bold', inert(memory.title))} ${style('dim', memory.id)}`);
  });
}
