import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = fileURLToPath(new URL('../../peers/', import.meta.url));

/** Installs the libraries that Recollect is compared with. They are not among its own, because they take 600 MB. */
export function installPeers(): void {
  const { dependencies } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8')) as { dependencies: object };
  if (Object.keys(dependencies).every((name) => existsSync(`${folder}node_modules/${name}`))) return;
  process.stderr.write('Installing the peers …\n');
  const options = ['--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', ...options], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Loads one of those libraries, which have no types here. */
// biome-ignore lint/suspicious/noExplicitAny: the libraries are not installed when this is compiled
export const loadPeer = (name: string): any => createRequire(`${folder}package.json`)(name);

/** Loads one of them that is an ES module. */
// biome-ignore lint/suspicious/noExplicitAny: the libraries are not installed when this is compiled
export const importPeer = (name: string): Promise<any> =>
  import(pathToFileURL(createRequire(`${folder}package.json`).resolve(name)).href);
