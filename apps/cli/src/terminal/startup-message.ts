import { readFileSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AccessPolicy, isLocalOnly, isLoopback, publicBaseUrl, unixPathOf } from '@recollect/server/access-policy';
import type { Configuration } from '../config.js';
import { fromHere } from '../server-address.js';
import { version } from '../version.js';
import { style } from './output.js';

/** The message of a started server: how to open it, who has access, and commands to try. */
export function startupMessage(
  address: string,
  { dataFolder, storePlace, isDefaultFolder, policy, searchPath }: Configuration,
  hasKeys: boolean,
): string {
  const isSocket = unixPathOf(address) !== null;
  const command = commandName(searchPath);
  const needsKey = policy.auth === 'required' || !isLocalOnly(policy);
  const publicUrl = publicBaseUrl(policy);
  const shown = isSocket ? publicUrl : fromHere(address);
  return [
    ...(shown === null ? [] : [`Open ${style('cyan', shown)} in your browser.`, '']),
    `${style('bold', 'Recollect')} ${version} is running. Your memories are in ${storePlace}`,
    ...(publicUrl === null ? [] : [`Public URL: ${style('cyan', publicUrl)}`]),
    ...(isSocket ? [describeSocket(address, publicUrl)] : describeHosts(policy)),
    ...(needsKey ? ['HTTP requests need an API key.'] : []),
    ...(policy.limitsRequests ? [] : ['There are no rate limits: RECOLLECT_RATE_LIMIT is off.']),
    '',
    'Try, in another terminal:',
    ...(isDefaultFolder ? [] : [`  ${setting('RECOLLECT_DATA_DIR', dataFolder)}`]),
    ...(needsKey && !hasKeys ? [`  ${command} keys create`] : []),
    '  echo "Green tea is best steeped below boiling." | \\',
    `    ${command} capture -`,
    `  ${command} search "how hot should the water be"`,
    '',
    ...(shown === null ? [] : [`Documentation: ${shown}/docs`]),
    'Ctrl-C stops the server.',
  ].join('\n');
}

/** Sets a variable for the commands that follow. */
function setting(name: string, value: string): string {
  if (process.platform === 'win32') return `$env:${name} = '${value.replaceAll("'", "''")}'`;
  return `export ${name}=${/^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`}`;
}

function describeSocket(address: string, publicUrl: string | null): string {
  const place = unixPathOf(address) === '' ? 'the socket of systemd' : address;
  return `It listens on ${place}.${publicUrl === null ? ' Set RECOLLECT_PUBLIC_URL to the address of the proxy.' : ''}`;
}

/** The host names that a server on the network accepts. */
function describeHosts({ bind, publicUrl, allowedHosts }: AccessPolicy): string[] {
  if (isLoopback(bind)) return [];
  const hosts = [...(publicUrl === null ? [] : [publicUrl.host]), ...allowedHosts];
  if (hosts.length > 0) return [`It listens on ${bind} and accepts the host names ${hosts.join(', ')}.`];
  const isEvery = bind === '0.0.0.0' || bind === '::';
  return [
    `It listens on ${bind}.${isEvery ? ' Set RECOLLECT_ALLOWED_HOSTS to the name or address that other machines use.' : ''}`,
  ];
}

/**
 * How a user starts this program: `recollect` if the PATH has a launcher of it (`npm install -g`, `npm run link`).
 * Otherwise through npm in a clone, and by its path in a package, which `npx` starts without a launcher for other
 * terminals.
 */
export function commandName(searchPath: string): string {
  const program = fileURLToPath(new URL('../bundle/main.js', import.meta.url));
  const isWindows = process.platform === 'win32';
  const name = isWindows ? 'recollect.cmd' : 'recollect';
  const folders = searchPath.split(delimiter).filter((folder) => folder !== '' && !/[\\/]\.bin[\\/]?$/.test(folder));
  if (folders.some((folder) => leadsTo(join(folder, name), program))) return 'recollect';
  const isInClone = !/[\\/]node_modules[\\/]/.test(program);
  if (isInClone) return 'npm run --silent recollect --';
  return isWindows ? `node "${program}"` : program;
}

function leadsTo(path: string, program: string): boolean {
  try {
    if (realpathSync(path) === program) return true;
    const launcher = readFileSync(path, 'utf8');
    // A launcher that npm writes on Windows names the program from its own folder.
    return launcher.includes(program) || launcher.includes(relative(dirname(path), program));
  } catch {
    return false;
  }
}
