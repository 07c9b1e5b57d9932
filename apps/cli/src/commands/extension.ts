import { writeFile } from 'node:fs/promises';
import type { Browser } from '@recollect/extension/archive';
import { Option } from 'commander';
import { readConfiguration } from '../config.js';
import { print, printJson } from '../terminal/output.js';
import { version } from '../version.js';
import { type AddCommand, InvalidOptionError } from './command.js';

export const addExtension: AddCommand = (program) => {
  program
    .command('extension')
    .description('get the browser extension')
    .command('package')
    .description('write the extension for this deployment to a ZIP file, as the server gives it out')
    .requiredOption('--out <file>', 'the file to write')
    .addOption(
      new Option('--browser <name>', 'which browser it is for').choices(['chromium', 'firefox']).default('chromium'),
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  recollect extension package --out recollect-everywhere.zip')
    .action(writePackage);
};

interface PackageOptions {
  out: string;
  browser: Browser;
  json?: boolean;
}

async function writePackage({ out, browser, json }: PackageOptions): Promise<void> {
  const { policy, port, openclawHosts } = readConfiguration();
  // A server that listens on all addresses is reached from this machine by this one.
  const bind = policy.bind === '0.0.0.0' || policy.bind === '::' ? '127.0.0.1' : policy.bind;
  const baseUrl = policy.publicUrl?.origin ?? `http://${bind.includes(':') ? `[${bind}]` : bind}:${port}`;
  // Loaded when needed: the schemas would make every other command start later.
  const [{ describeDeployment }, { createArchive }] = await Promise.all([
    import('@recollect/contract'),
    import('@recollect/extension/archive'),
  ]);
  const archive = await createArchive({ ...describeDeployment(baseUrl, version), openclawHosts, browser });
  try {
    await writeFile(out, archive);
  } catch {
    throw new InvalidOptionError(`--out ${out} cannot be written. Name a file in a folder that is there and yours.`);
  }
  if (json) return printJson({ file: out, bytes: archive.length, baseUrl });
  const how = {
    chromium: 'Unpack it into a folder of its own, and load that at chrome://extensions in developer mode.',
    firefox: 'Load it at about:debugging, This Firefox, Load Temporary Add-on.',
  }[browser];
  print(`${out} is the extension for ${baseUrl}. ${how}`);
}
