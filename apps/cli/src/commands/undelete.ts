import { resolveMemoryId } from '../memory-references/resolve-id.js';
import { inert, print, printJson, style } from '../terminal/output.js';
import { type AddCommand, withExecutor } from './command.js';

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
    else print(`${style('green', 'Restored')} ${style('bold', inert(memory.title))} ${style('dim', memory.id)}`);
  });
}
