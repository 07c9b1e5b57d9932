import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCli } from './run-cli.js';

const hasScript = spawnSync('script', ['--version']).stdout?.includes('util-linux') ?? false;

let cli: Awaited<ReturnType<typeof createCli>>;
beforeEach(async () => {
  cli = await createCli({ RECOLLECT_EMBEDDINGS: 'off' });
});
afterEach(() => cli.remove());

const LONG = Array.from({ length: 200 }, (_, at) => `Line ${at + 1} of a long text.`).join('\n');

describe.skipIf(!hasScript)('on a terminal (requires script of util-linux)', () => {
  /**
   * The arguments of `script` that run a command on a terminal of 24 rows and 60 columns, and what the shell does after
   * it.
   */
  const onTerminal = (line: string, after = '') => [
    '-qec',
    `stty rows 24 cols 60; ${after === '' ? 'exec' : 'trap : INT;'} '${process.execPath}' '${cli.main}' ${line}; ${after}`,
    '/dev/null',
  ];
  /** The output of a command in the terminal. */
  const show = async (line: string, env: Record<string, string> = {}) =>
    (await cli.runWith('script', onTerminal(line), { TERM: 'xterm-256color', ...env })).out;
  /** What it shows of a command if keys are pressed as soon as it shows a text. */
  const press = async (keys: string, text: string, line: string, { after = '', onPressed = () => {} } = {}) => {
    const { stdin, stdout } = cli.startWith('script', onTerminal(line, after), { TERM: 'xterm-256color' });
    if (stdin === null || stdout === null) throw new Error('There is no pipe.');
    stdout.setEncoding('utf8');
    let shown = '';
    let isPressed = false;
    for await (const part of stdout) {
      shown += part;
      if (isPressed || !shown.includes(text)) continue;
      isPressed = true;
      stdin.write(keys, onPressed);
    }
    return shown;
  };

  test('CLI-6: a text longer than the screen opens in the pager, a short one does not', async () => {
    await cli.json(['capture', '--text', LONG, '--title', 'Long']);
    await cli.json(['capture', '--text', 'A few words.', '--title', 'Short']);
    const pager = join(cli.folder, 'pager');
    await writeFile(pager, '#!/bin/sh\necho "THE PAGER"; cat\n');
    await chmod(pager, 0o700);
    await show('recent');
    const short = await show('show @1', { PAGER: pager });
    const long = await show('show @2', { PAGER: pager });
    expect([short, long]).toEqual([expect.not.stringContaining('THE PAGER'), expect.stringContaining('THE PAGER')]);
    expect(long).toMatch(/Line 1 of a long text\.[\s\S]*Line 200 of a long text\./);
    // Without a pager that can be started, the text is printed.
    for (const missing of ['/nowhere/pager', 'cat']) {
      const out = await show('show @2', { PAGER: missing });
      expect(out).toMatch(/Line 1 of[\s\S]*Line 200 of/);
      expect(out).not.toContain('THE PAGER');
    }
    expect(await show('help settings', { PAGER: pager })).toContain('THE PAGER');
  });

  test('CLI-6: tables fit the terminal, and NO_COLOR leaves out colours', async () => {
    await cli.json(['capture', '--text', 'Words.', '--title', 'A title that is much too long for a narrow terminal']);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with it.
    const colour = /\u001b\[\d+m/;
    const coloured = await show('recent');
    expect(coloured).toMatch(colour);
    const plain = await show('recent', { NO_COLOR: '1' });
    expect(plain).not.toMatch(colour);
    for (const help of ['--help', 'help operators', 'search --help'])
      expect([help, await show(help, { NO_COLOR: '1', PAGER: 'cat' })]).toEqual([
        help,
        expect.not.stringMatching(colour),
      ]);
  });

  test('CLI-16: shortens ids and colours the words that match, in titles as well', async () => {
    const { captures } = await cli.json(['capture', '--text', 'Green tea is best below boiling.', '--title', 'On tea']);
    const [{ id }] = captures;
    const list = await show('search tea');
    expect(list).toContain(id.slice(0, 13));
    expect(list).not.toContain(id);
    expect(list.split('\u001b[33mtea')).toHaveLength(3);
    expect(await show(`show ${id.slice(0, 13)}`, { PAGER: 'cat' })).toContain('6 words');
    expect((await cli.run(['recent'])).out).toContain(id);
  });

  test('CLI-6: asks before the trash is emptied, and does what the key says', async () => {
    await cli.json(['delete', await cli.save('Green tea.')]);
    expect(await press('n', '?', 'trash empty')).toContain('Nothing was deleted.');
    expect(await press('y', '?', 'trash empty')).toContain('1 memory permanently deleted.');
    expect(await show('trash empty')).toContain('The trash is empty.');
  });

  test('CLI-1: a progress bar leaves the keyboard alone, and its line makes room for others', {
    tags: 'long',
  }, async () => {
    /** The first page takes so long that the bar appears, the second until it is released. */
    const held = Promise.withResolvers<void>();
    const pages = createServer(async (request, response) => {
      await (request.url === '/first' ? sleep(1_100) : held.promise);
      response.setHeader('content-type', 'text/html').end(`<p>A page about tea, at ${request.url}.</p>`);
    });
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
    const line = `capture '${address}/first' '${address}/second'`;
    const stopped = await press('\u0003', '───', line, { after: 'echo "exit code $?"' });
    expect(stopped).toContain('exit code 130');
    const onPressed = held.resolve;
    const shown = await press('green\n', '───', line, { after: 'read word; echo "read $word"', onPressed });
    expect(shown).toContain('read green');
    // The bar is erased before the result is printed.
    const parts = shown.split('\r\u001b[K');
    expect(parts).toContainEqual(expect.stringMatching(/^\S*Already saved/));
    expect(parts.length).toBeGreaterThan(2);
    pages.close();
  });
});

test('CLI-1: a table shows a title in wide letters as far as there is room', async () => {
  const title = '日本語の題名がとても長いのでここまで書いてもまだ終わりませんよ';
  await cli.save('Some text.', '--title', title);
  expect((await cli.run(['recent'])).out).toContain(title);
});

test('CLI-1: a reader that goes away ends the output, and not the work', async () => {
  const files = ['milk', 'honey', 'bread'].map((word) => join(cli.folder, `${word}.txt`));
  for (const file of files) await writeFile(file, `Buy ${file}.`);
  const child = cli.start(['capture', 'missing.txt', ...files]);
  child.stdout?.destroy();
  child.stderr?.destroy();
  expect(await once(child, 'exit')).toEqual([1, null]);
  expect((await cli.json(['recent'])).memories).toHaveLength(3);
  const reader = cli.start(['export']);
  reader.stdout?.destroy();
  expect(await once(reader, 'exit')).toEqual([0, null]);
});

test.skipIf(!existsSync('/dev/full'))('CLI-1: a full disk under the output is explained in a sentence', async () => {
  await cli.save('Green tea.');
  const command = `'${process.execPath}' '${cli.main}' recent > /dev/full`;
  expect(await cli.runWith('sh', ['-c', command])).toEqual({
    code: 1,
    out: '',
    err: 'The output could not be written: the disk is full.\n',
  });
});

test('CLI-6: recollect help shows the page of a command or of a topic, and names the topics for a word it does not know', async () => {
  const page = await cli.run(['help', 'tags', 'rename']);
  expect(page.out).toBe((await cli.run(['tags', 'rename', '--help'])).out);
  expect(page.out).toMatch(/^Usage: recollect tags rename[\s\S]*--to <tag>[\s\S]*Examples:\n {2}recollect tags rename/);
  expect((await cli.run(['help', 'exit-codes'])).out).toContain('78  a rejected setting');
  expect((await cli.run(['help', 'settings'])).out).toContain('RECOLLECT_PORT\n      port of the server');
  expect((await cli.run(['help'])).out).toBe((await cli.run(['--help'])).out);
  const unknown = await cli.run(['help', 'tags', 'renaem']);
  expect([unknown.code, unknown.out, unknown.err]).toEqual([
    2,
    '',
    expect.stringMatching(/no command or topic tags renaem.*operators/),
  ]);
});

test('SEC-12: no stored text moves the cursor, turns text around, or passes for a fact about its memory', async () => {
  const folder = join(cli.folder, 'notes');
  await mkdir(folder);
  const names = ['"\\e]0;owned\\a"', 'saved by', '" Saved\\u202e By "', 'from', '"a\\nsaved by"', '"\\x9b2J"'];
  const front = names.map((name) => `${name}: evil\u009b2J\u202e`).join('\n');
  await writeFile(join(folder, 'note.md'), `---\n${front}\n---\n\nTea\u009b2J \u202etext\n`);
  const { captures } = await cli.json(['capture', join(folder, 'note.md')]);
  const [{ id }] = captures;
  const { out } = await cli.run(['show', id]);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be printed.
  expect(out).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  expect(out.match(/^ *(?:saved by|from): .*/gim)).toEqual([
    expect.stringMatching(/^from: file/),
    'saved by: the command line',
  ]);
  expect(out).toContain('saved by (front matter): evil');
  const printed = (await cli.run(['show', id, '--json'])).out;
  expect(printed).not.toMatch(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  expect(JSON.parse(printed).text.trim()).toBe('Tea\u009b2J \u202etext');
  const exported = (await cli.run(['export'])).out;
  expect(exported).not.toMatch(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
});

describe('shell completion', () => {
  const complete = async (...words: string[]) => {
    const { out, err } = await cli.run(['complete', '--', ...words]);
    expect(err).toBe('');
    return out
      .split('\n')
      .map((line) => line.trimEnd())
      .filter((line) => line !== '' && !line.startsWith(':'));
  };

  test('CLI-6: completes ids, tags, sites, plugins, jobs and keys from the store', async () => {
    expect(await complete('show', '')).toEqual([]);
    await cli.json(['capture', '--text', 'Green tea.', '--title', 'Tea', '--tag', 'Drinks', '--tag', 'green']);
    const { memories } = await cli.json(['recent']);
    const id: string = memories[0].id;
    await cli.run(['recent']);
    expect(await complete('show', '')).toEqual(['@1\tTea']);
    expect(await complete('show', id.slice(0, 8))).toEqual([`${id}\tTea`]);
    expect(await complete('delete', '@1', '')).toEqual(['@1\tTea']);
    expect(await complete('tags', 'rename', '')).toEqual(['Drinks', 'green']);
    expect(await complete('search', '--tag', 'gr')).toEqual(['green']);
    expect(await complete('edit', '@1', '--untag', 'Dr')).toEqual(['Drinks']);
    expect(await complete('plugins', 'install', 'daily')).toEqual([expect.stringMatching(/^daily-digest\t/)]);
    expect(await complete('plugins', 'run', 'daily-digest', '')).toEqual([expect.stringMatching(/^digest\t/)]);
    await cli.json(['keys', 'create', '--name', 'phone']);
    expect(await complete('keys', 'revoke', '')).toEqual([expect.stringMatching(/^rec_\w{8}\tphone$/)]);
    const { changeId } = await cli.json(['edit', id, '--title', 'Green tea']);
    expect(await complete('undo', changeId.slice(0, 10))).toEqual([changeId]);
    await cli.json(['searches', 'save', 'unread', 'is:unread']);
    expect(await complete('search', '--saved', 'un')).toEqual(['unread\tis:unread']);
    expect(await complete('searches', 'remove', '')).toEqual(['unread\tis:unread']);
  });

  test('CLI-6: completes what only some words can be: scopes, clients and pages of the manual', async () => {
    expect(await complete('keys', 'create', '--scope', 'mem')).toEqual(['memory:read', 'memory:write']);
    expect(await complete('mcp', 'install', 'cl')).toEqual(['claude-desktop', 'claude-code']);
    expect(await complete('mcp', '--print-config', 'chat')).toEqual(['chatgpt']);
    expect(await complete('help', 'op')).toEqual([
      expect.stringMatching(/^open\t/),
      expect.stringMatching(/^operators\t/),
    ]);
    expect(await complete('help', 'tags', 'ren')).toEqual([expect.stringMatching(/^rename\t/)]);
  });

  test('CLI-6: completes nothing, and prints no error, where the store cannot be read', async () => {
    await cli.json(['capture', '--text', 'Green tea.']);
    await writeFile(join(cli.folder, 'data', 'recollect.db'), 'garbage '.repeat(1_000));
    expect(await complete('tags', 'remove', '')).toEqual([]);
    expect(await complete('tags', 're')).toEqual([expect.stringMatching(/^rename/), expect.stringMatching(/^remove/)]);
  });
});
