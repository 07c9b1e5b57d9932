import { writeFile } from 'node:fs/promises';
import type { Browser } from '@recollect/extension/archive';
import { publicBaseUrl } from '@recollect/server/access-policy';
import { Option } from 'commander';
import { ConfigurationError, readConfiguration } from '../config.js';
import { localAddress } from '../server-address.js';
import { print, printJson } from '../terminal/output.js';
import { version } from '../version.js';
import { type AddCommand, InvalidOptionError } from './command.js';

export const addExtension: AddCommand = (program) => {
  program
    .command('extension')
    .description('package the browser extension')
    .command('package')
    .description("write the extension for this deployment to a ZIP file, identical to the server's download")
    .requiredOption('--out <file>', 'output file (required)')
    .addOption(new Option('--browser <name>', 'target browser').choices(['chromium', 'firefox']).default('chromium'))
    .option('--json', 'print JSON')
    .action(writePackage);
};

interface PackageOptions {
  out: string;
  browser: Browser;
  json?: boolean;
}

async function writePackage({ out, browser, json }: PackageOptions): Promise<void> {
  const configuration = readConfiguration();
  const { policy, openclawHosts } = configuration;
  const baseUrl = publicBaseUrl(policy) ?? localAddress(configuration);
  if (!baseUrl?.startsWith('http'))
    throw new ConfigurationError(
      'The extension needs an address of the server. Set RECOLLECT_PUBLIC_URL to the address of the proxy.',
    );
  // Imported on demand: loading the schemas would slow down the start of every other command.
  const [{ describeDeployment }, { createArchive }] = await Promise.all([
    import('@recollect/contract'),
    import('@recollect/extension/archive'),
  ]);
  const archive = await createArchive({ ...describeDeployment(baseUrl, version), openclawHosts, browser });
  try {
    await writeFile(out, archive);
  } catch {
    throw new InvalidOptionError(`--out ${out} cannot be written. Choose a file in a folder that you can write to.`);
  }
  if (json) return printJson({ file: out, bytes: archive.length, baseUrl });
  const how = {
    chromium: 'Unpack it into its own folder, and load that folder at chrome://extensions in developer mode.',
    firefox: 'Load it at about:debugging, This Firefox, Load Temporary Add-on.',
  }[browser];
  print(`Wrote the extension for ${baseUrl} to ${out}. ${how}`);
}
