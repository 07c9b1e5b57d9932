import type { AddCommand } from '../command.js';
import { addInstall } from './install.js';
import { clientNames, printConfiguration } from './print-configuration.js';
import { serveMcp } from './serve.js';

export const addMcp: AddCommand = (program) => {
  const mcp = program
    .command('mcp')
    .description('serve the memory to an assistant over standard input and output (Model Context Protocol)')
    .option('--print-config <client>', `print how a client is set up, and do nothing else: ${clientNames.join(', ')}`)
    .addHelpText(
      'after',
      '\nClients start it themselves; recollect mcp install tells them to.\n\nExamples:\n  recollect mcp install claude-desktop\n  recollect mcp --print-config cursor',
    )
    .action(({ printConfig }: { printConfig?: string }) =>
      printConfig === undefined ? serveMcp() : printConfiguration(printConfig),
    );
  addInstall(mcp);
};
