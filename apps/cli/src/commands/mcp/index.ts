import { Option } from 'commander';
import { ConfigurationError, readConfiguration } from '../../config.js';
import type { AddCommand } from '../command.js';
import { addInstall, clientNames, printConfiguration } from './install.js';

import { serveMcp } from './serve.js';

export const addMcp: AddCommand = (program) => {
  const mcp = program
    .command('mcp')
    .description('serve your memories to an assistant over standard input and output (Model Context Protocol)')
    .addOption(
      new Option('--print-config <client>', 'print the configuration for a client and exit')
        .choices(clientNames)
        .argParser(String),
    )
    .action(async ({ printConfig, direct = false }: { printConfig?: string; direct?: boolean }) => {
      if (printConfig !== undefined) return printConfiguration(printConfig);
      if (!readConfiguration().mcp) {
        throw new ConfigurationError('RECOLLECT_MCP is off. Unset it to let assistants use your memories.');
      }
      // A client that reads nothing more has gone.
      process.stdout.once('error', () => process.exit(0));
      // Loaded on demand: with a server, the process needs neither the store nor the protocol's library.
      if (direct) await (await import('./serve-standalone.js')).serveStandalone();
      else await serveMcp();
    });
  addInstall(mcp);
};
