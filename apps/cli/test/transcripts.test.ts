import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createCli } from './run-cli.js';

const root = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

interface Step {
  command: string;
  /** The output that the document shows; empty if it shows none. */
  shown: string;
}

/** The commands in the consoles of a document, with the output that it shows for them. */
function readSteps(path: string): Step[] {
  const steps: Step[] = [];
  for (const [, block = ''] of readFileSync(root(path), 'utf8').matchAll(/```console\n(.*?)```/gs)) {
    for (const part of block
      .replace(/\\\n\s*/g, '')
      .split(/^\$ /m)
      .slice(1)) {
      const [command = '', ...shown] = part.trim().split('\n');
      steps.push({ command, shown: shown.join('\n').trim() });
    }
  }
  return steps;
}

/** Values that differ from run to run: ids, which a terminal shows shortened, and scores. */
const steady = (output: string) =>
  output
    .trim()
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}(?:-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})?\b/g, 'ID')
    .replace(/\b[01]\.\d\d\b/g, 'SCORE');

// The commands need a POSIX shell.
const documents = ['README.md', ...(process.env.LONG === '1' ? ['docs/plugins.md'] : [])];
test.skipIf(process.platform === 'win32').each(documents)(
  'CLI-1: the commands in %s run in their order, and print what it shows',
  async (path) => {
    // Without RECOLLECT_DATA_DIR, the store is in the folder of the account, as for a reader.
    const cli = await createCli({ RECOLLECT_DATA_DIR: '' });
    try {
      const bin = join(cli.folder, 'bin');
      await mkdir(bin);
      const program = root('apps/cli/dist/bundle/main.js');
      await writeFile(join(bin, 'recollect'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
      await chmod(join(bin, 'recollect'), 0o755);
      copyFileSync(root('LICENSE'), join(cli.folder, 'LICENSE'));
      const server = await cli.serve();
      // Loads the model, which takes long on a busy machine.
      await cli.search('anything');
      const steps = readSteps(path);
      expect(steps.length).toBeGreaterThan(5);
      for (const { command, shown } of steps) {
        // The documents name the usual port.
        const script = command.replaceAll('localhost:4545', server.address.slice('http://'.length));
        const env = {
          HOME: cli.folder,
          PATH: [bin, process.env.PATH].join(delimiter),
          RECOLLECT_SERVER_WAIT: '60000',
        };
        const child = spawn('sh', ['-c', script], { cwd: cli.folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
        const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
        expect([command, child.exitCode, child.exitCode === 0 ? '' : err]).toEqual([command, 0, '']);
        if (shown !== '') expect([command, steady(out)]).toEqual([command, steady(shown)]);
      }
      await server.stop();
    } finally {
      await cli.remove();
    }
  },
  240_000,
);
