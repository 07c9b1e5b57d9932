import type { AddCommand } from '../command.js';
import { addInstall } from './install.js';
import { clientNames, printConfiguration } from './print-configuration.js';
import { serveMcp } from './serve.js';

export const addMcp: AddCommand = (program) => {
  const mcp = program
    .command('mcp')
    .description('serve your memories to an assistant over standard input and output (Model Context Protocol)')
    .option('--print-config <client>', `print the configuration for a client and exit: ${clientNames.join(', ')}`)
    .addHelpText(
      'after',
      '\nClients start this command themselves. recollect mcp install sets a client up to do so.\n\nExamples:\n  recollect mcp install claude-desktop\n  recollect mcp --print-config cursor',
    )
    .action(({ printConfig }: { printConfig?: string }) =>
      printConfig === undefined ? serveMcp() : printConfiguration(printConfig),
    );
  addInstall(mcp);
};
