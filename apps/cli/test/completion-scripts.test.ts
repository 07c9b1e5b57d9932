import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SHELL_SCRIPTS, type Shell } from '../src/completion/shell-scripts.js';

/** Tags as hostile as a store can hold. Each would make a file if a shell evaluated it. */
const TAGS = [
  '$(id > PWNED)',
  '`id > PWNED`',
  "'; id > PWNED; '",
  '"; id > PWNED; "',
  `$\{x:=$(id > PWNED)}`,
  '; id > PWNED',
  '| id > PWNED',
  '& id > PWNED',
  '<(id > PWNED)',
  '(id > PWNED)',
  '\\$(id > PWNED)',
  "$'\\x60id > PWNED\\x60'",
  'a b  c',
  '*',
  '?',
  '~',
  '#x',
  '{a,b}',
  '[ab]',
  '!!',
  '^a^b',
  '%x',
  '-n',
  'a\\',
  "it's",
  '"quoted"',
  'grün',
  '‘$(id > PWNED)’',
  'a:b',
  'a=b',
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-completion-'));
  // Answers as the command does, and keeps the words that it got.
  const command = `#!/bin/sh\nprintf '%s\\n' "$@" > "${folder}/words"\ncat "${folder}/answer"\n`;
  await writeFile(join(folder, 'recollect'), command);
  await chmod(join(folder, 'recollect'), 0o755);
  for (const [shell, script] of Object.entries(SHELL_SCRIPTS)) await writeFile(join(folder, `script.${shell}`), script);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function isThere(shell: Shell): boolean {
  return spawnSync(shell, ['-c', 'exit 0']).status === 0;
}

function run(shell: Shell, code: string): string[] {
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, LC_ALL: 'C.UTF-8', HOME: folder };
  return execFileSync(shell, ['-c', code], { cwd: folder, env, encoding: 'utf8' }).split('\n').slice(0, -1);
}

const answer = (tags: readonly string[]) =>
  writeFile(join(folder, 'answer'), `${tags.map((tag) => `${tag}\tused $(id > PWNED) times\n`).join('')}:4\n`);
const wordsPassed = async () => (await readFile(join(folder, 'words'), 'utf8')).split('\n').slice(0, -1);
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

describe('SEC-12: no shell evaluates a stored text when it completes a word', () => {
  const noneRan = async () => expect((await readdir(folder)).filter((name) => name.includes('PWNED'))).toEqual([]);

  /** The words that bash would insert for a line with the cursor at its end, which bash splits into words. */
  const completeInBash = (line: string, words: readonly string[]) =>
    run(
      'bash',
      `. ./script.bash; COMP_LINE=${quote(line)}; COMP_POINT=\${#COMP_LINE}; COMP_WORDS=(${words.map(quote).join(' ')});
      COMP_CWORD=${words.length - 1}; _recollect; printf '%s\\n' "\${COMPREPLY[@]}"`,
    );

  describe.runIf(isThere('bash'))('bash', () => {
    test('inserts each value so that the shell reads it as that value', async () => {
      await answer(TAGS);
      const inserted = completeInBash('recollect search --tag ', ['recollect', 'search', '--tag', '']);
      expect(await wordsPassed()).toEqual(['complete', '--', 'search', '--tag', '']);
      expect(inserted.length).toBe(TAGS.length);
      expect(run('bash', `printf '%s\\n' ${inserted.join(' ')}`)).toEqual(TAGS);
      await noneRan();
    });

    test('inserts values behind an open quote, and passes typed words on unquoted', async () => {
      await answer(TAGS);
      const single = completeInBash("recollect search --tag '", ['recollect', 'search', '--tag', "'"]);
      expect(run('bash', `printf '%s\\n' ${single.map((text) => `'${text}'`).join(' ')}`)).toEqual(TAGS);
      const double = completeInBash('recollect search --tag "', ['recollect', 'search', '--tag', '"']);
      expect(run('bash', `printf '%s\\n' ${double.map((text) => `"${text}"`).join(' ')}`)).toEqual(
        TAGS.filter((tag) => !tag.includes('!')),
      );
      const typed = ['recollect', 'edit', String.raw`\$\(id\ \>\ PWNED\)`, `'a b'c"d"`, '$(id > PWNED)', ''];
      completeInBash(`${typed.join(' ')}`, typed);
      expect(await wordsPassed()).toEqual(['complete', '--', 'edit', '$(id > PWNED)', 'a bcd', '$(id > PWNED)', '']);
      await noneRan();
    });

    test('completes words that bash splits at a colon or an equals sign', async () => {
      await answer(['site:a b', 'site:c']);
      expect(completeInBash('recollect search site:', ['recollect', 'search', 'site', ':'])).toEqual(['a\\ b', 'c']);
      expect(await wordsPassed()).toEqual(['complete', '--', 'search', 'site:']);
      await answer(['green tea']);
      expect(completeInBash('recollect search --tag=gr', ['recollect', 'search', '--tag', '=', 'gr'])).toEqual([
        'green\\ tea',
      ]);
      expect(await wordsPassed()).toEqual(['complete', '--', 'search', '--tag=gr']);
    });
  });

  describe.runIf(isThere('zsh'))('zsh', () => {
    test('offers each value for the shell to quote', async () => {
      await answer(TAGS);
      // The stand-in keeps what the shell would insert, which zsh quotes unless it is told not to (-Q).
      const offered = run(
        'zsh',
        `compdef() { : }; compset() { : }; compadd() { [[ $* == *-Q* ]] || print -rl -- "\${values[@]}" }
        . ./script.zsh; words=(recollect search --tag ''); CURRENT=4; PREFIX=''; _recollect`,
      );
      expect(offered).toEqual(TAGS);
      expect(await wordsPassed()).toEqual(['complete', '--', 'search', '--tag', '']);
      run(
        'zsh',
        `compdef() { : }; compset() { : }; compadd() { : }
        . ./script.zsh; words=(recollect edit '\\$\\(id\\ \\>\\ PWNED\\)' '$(id > PWNED)' x); CURRENT=5; PREFIX='x'; _recollect`,
      );
      expect(await wordsPassed()).toEqual(['complete', '--', 'edit', '$(id > PWNED)', '$(id > PWNED)', 'x']);
      await noneRan();
    });
  });

  describe.runIf(isThere('fish'))('fish', () => {
    test('offers each value as text', async () => {
      await answer(TAGS);
      const offered = run('fish', `source ./script.fish; complete -C 'recollect search --tag '`);
      expect(offered.map((line) => line.split('\t')[0]).sort()).toEqual([...TAGS].sort());
      expect(await wordsPassed()).toEqual(['complete', '--', 'search', '--tag', '']);
      await noneRan();
    });
  });

  test('PowerShell gets a script that evaluates nothing', () => {
    expect(SHELL_SCRIPTS.powershell).not.toMatch(/Invoke-Expression|\biex\b/i);
  });
});
