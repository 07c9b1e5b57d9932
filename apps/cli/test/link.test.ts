import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commandName } from '../dist/terminal/startup-message.js';

const bootstrap = fileURLToPath(new URL('../../../tools/bootstrap/src/main.mjs', import.meta.url));

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "recollect's home-"));
});
afterEach(() => rmSync(home, { recursive: true }));

const bin = () => join(home, '.local', 'bin');
const run = (command: string, args: readonly string[], path = [dirname(process.execPath), '/usr/bin', '/bin']) => {
  const env = { HOME: home, PATH: path.join(delimiter), RECOLLECT_EMBEDDINGS: 'off' };
  const { status, stdout, stderr } = spawnSync(command, args, { env, encoding: 'utf8' });
  return { status, stdout, stderr };
};

test.skipIf(process.platform === 'win32')(
  'CLI-5: the command is put on the PATH, works from there, and is removed',
  () => {
    const linked = run(process.execPath, [bootstrap, 'link']);
    expect(linked).toMatchObject({ status: 0, stdout: '' });
    expect(linked.stderr).toContain(
      `the command is at ${join(bin(), 'recollect')}. Add ${bin()} to your PATH to use it.`,
    );
    const path = [bin(), '/usr/bin', '/bin'];
    expect(run('recollect', ['--version'], path)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\+[0-9a-f.]+\n$/),
    });
    expect(run('recollect', ['search', 'a "b" $c'], path)).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('Nothing is saved yet.'),
    });
    expect([commandName(bin()), commandName(home)]).toEqual(['recollect', 'npm run --silent recollect --']);
    // Again, with the folder on the PATH.
    expect(run(process.execPath, [bootstrap, 'link'], path).stderr).not.toContain('Add ');
    expect(run(process.execPath, [bootstrap, 'unlink'])).toMatchObject({ status: 0 });
    expect(existsSync(join(bin(), 'recollect'))).toBe(false);
    expect(run(process.execPath, [bootstrap, 'unlink']).stderr).toContain('the command recollect is not linked');
  },
);

test.skipIf(process.platform === 'win32')('CLI-5: does not replace another program of the same name', () => {
  mkdirSync(bin(), { recursive: true });
  const file = join(bin(), 'recollect');
  writeFileSync(file, '#!/bin/sh\n');
  for (const task of ['link', 'unlink'])
    expect(run(process.execPath, [bootstrap, task])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('another program'),
    });
  expect(readFileSync(file, 'utf8')).toBe('#!/bin/sh\n');
});
