import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

/** Of util-linux, which every distribution has. */
const UNSHARE = ['/usr/bin/unshare', '/bin/unshare'];
/** A network namespace needs a user namespace, unless the account may do without. */
const WAYS = [
  ['--user', '--map-current-user', '--net', '--'],
  ['--net', '--'],
];

let prefix: Promise<readonly string[]> | undefined;

/**
 * The command that starts a program in an empty network namespace: nothing in it reaches an address, loopback included,
 * even if it runs native code. Empty where the system has no such command, or does not let this account use it (some
 * distributions restrict user namespaces). Determined once for each process.
 */
export function withoutNetwork(): Promise<readonly string[]> {
  prefix ??= findPrefix();
  return prefix;
}

async function findPrefix(): Promise<readonly string[]> {
  const unshare = process.platform === 'linux' ? UNSHARE.find((path) => existsSync(path)) : undefined;
  if (unshare === undefined) return [];
  for (const way of WAYS) {
    const works = await promisify(execFile)(unshare, [...way, '/bin/true'], { env: {} }).then(
      () => true,
      () => false,
    );
    if (works) return [unshare, ...way];
  }
  return [];
}
