import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Cli, createCli } from './run-cli.js';

let cli: Cli;
beforeEach(async () => {
  cli = await createCli({ RECOLLECT_EMBEDDINGS: 'off' });
});
afterEach(() => cli.remove());

const WITH_MODEL = { RECOLLECT_EMBEDDINGS: 'on' };

describe('related and status', () => {
  test('CLI-1: related lists the most similar memories first', async () => {
    // It loads the model once for all commands.
    const server = await cli.serve(WITH_MODEL);
    const id = await cli.save('Green tea is steeped below boiling.', '--wait');
    expect((await cli.run(['related', id])).out).toBe('There are no similar memories.\n');
    const tea = await cli.save('Black tea needs boiling water.', '--wait');
    const coffee = await cli.save('Tea and coffee taste best with soft water.', '--wait');
    await cli.save('The parliament passed a new budget on Tuesday.', '--wait');
    expect((await cli.json(['related', id, '--limit', '1'])).related).toMatchObject([{ id: tea }]);
    expect((await cli.run(['related', id])).out).toMatch(
      new RegExp(
        `similarity +title +id\n@1 +0\\.\\d\\d +Black tea .*${tea}\n@2 +0\\.\\d\\d +Tea and coffee .*${coffee}\n$`,
      ),
    );
    await server.stop();
    const off = await cli.run(['related', id]);
    expect(off.out).toMatch(/^Without an embedding model, nothing can be compared\. Set RECOLLECT_EMBEDDINGS_URL/);
  });

  test('CLI-1: status shows the store, its counts, the embeddings and the plugins', async () => {
    await cli.run(['capture', '-', '--wait'], { input: 'Green tea is steeped below boiling.', env: WITH_MODEL });
    const { code, out } = await cli.run(['status'], { env: WITH_MODEL });
    expect(code).toBe(0);
    expect(out).toMatch(
      /^Recollect \d+\.\d+\.\d+\+\S+\nstore: +\S+recollect\.db, \d+(\.\d)? [kM]B\nserver: +not running; start it with: recollect serve\ndisk free: +\d+(\.\d)? \wB\n/,
    );
    expect(out).toMatch(/memories: +1\nhighlights: +0\ntrash: +0 memories\nembeddings: +1 of 1 memory, \S+/);
    expect(out).toMatch(/plugins: +0 active, 0 failing\n$/);
    expect(await cli.json(['status'])).toMatchObject({
      version: expect.any(String),
      memories: 1,
      store: { location: join(cli.folder, 'data', 'recollect.db') },
    });
  });

  test('CLI-1: a search of an empty store says that nothing is saved, and show names a memory of the trash', async () => {
    expect(await cli.run(['search', 'tea'])).toEqual({
      code: 1,
      out: 'Nothing is saved yet. To save a page, a file or a note: recollect help capture\n',
      err: '',
    });
    const id = await cli.save('Tea of the trash.');
    await cli.run(['search', 'trash']);
    await cli.run(['delete', id]);
    for (const command of ['show', 'history', 'related'])
      expect(await cli.run([command, '@1'])).toMatchObject({
        code: 1,
        err: `Tea of the trash. is in the trash. To restore it: recollect undelete ${id}\n`,
      });
  });

  test('CLI-1: --by filters by who saved a memory', async () => {
    await cli.save('Saved here.');
    expect((await cli.json(['recent', '--by', 'cli'])).memories.length).toBe(1);
    expect(await cli.run(['search', 'saved', '--by', 'mcp:Claude'])).toEqual({
      code: 1,
      out: 'No matches.\n',
      err: '',
    });
    const wrong = await cli.run(['recent', '--by', 'nobody']);
    expect([wrong.code, wrong.out, wrong.err]).toEqual([
      2,
      '',
      expect.stringMatching(/^--by must be one of extension/),
    ]);
  });
});

describe('beside a server', () => {
  test('CLI-1: highlights lists passages by their words, and --markdown groups them by memory', async () => {
    const page = await cli.save(
      'Green tea is steeped below boiling.\n\nSencha is a green tea.',
      '--url',
      'https://tea.example/',
      '--title',
      'Tea',
    );
    const note = await cli.save('A note about bees.', '--title', 'Bees');
    const server = await cli.serve({ RECOLLECT_EMBEDDINGS: 'off' });
    const mark = (id: string, body: object) =>
      fetch(`${server.address}/api/v1/memories/${id}/highlights`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    await mark(page, { quote: 'Green tea is steeped below boiling.\n\nSencha', note: 'For guests' });
    await mark(note, { quote: 'about \u001b[31mbees' });
    await mark(page, { quote: 'a green tea' });
    await server.stop();
    expect((await cli.run(['highlights', 'GREEN', 'guests'])).out).toBe(
      `Green tea is steeped below boiling. Sencha\n  For guests\n  Tea ${page}\n\n`,
    );
    expect((await cli.run(['highlights', '--memory', note])).out).toBe(`about [31mbees\n  Bees ${note}\n\n`);
    expect((await cli.run(['highlights', '--markdown'])).out).toBe(
      '## Tea\n\n<https://tea.example/>\n\n> a green tea\n\n> Green tea is steeped below boiling.\n>\n> Sencha\n\nFor guests\n\n## Bees\n\n> about [31mbees\n',
    );
    expect((await cli.json(['highlights', 'tea'])).highlights.length).toBe(2);
    expect((await cli.run(['highlights', 'nothing'])).out).toMatch(/^No highlights found\./);
    expect(await cli.run(['highlights', '--memory', 'unknown'])).toMatchObject({ code: 1, out: '' });
    expect(await cli.run(['highlights', '--markdown', '--json'])).toMatchObject({ code: 2, out: '' });
  });

  test('CLI-1: open prints the address of a running server, and says how to start one otherwise', async () => {
    const id = await cli.save('Green tea.');
    const server = await cli.serve({ RECOLLECT_EMBEDDINGS: 'off' });
    expect(server.printed()).toMatch(
      /^Open http:\/\/127\.0\.0\.1:\d+ in your browser\.\n[\s\S]*Documentation: http\S+\/docs\n/,
    );
    const env = { RECOLLECT_PORT: new URL(server.address).port };
    expect(await cli.run(['open', '--json'], { env })).toMatchObject({
      code: 0,
      out: `{\n  "address": "${server.address}/"\n}\n`,
    });
    const unknown = await cli.run(['open', 'unknown'], { env });
    expect([unknown.code, unknown.out, unknown.err]).toEqual([1, '', expect.stringMatching(/no memory with this id/)]);
    // The public URL does not answer, so the address on this machine is used.
    const elsewhere = { ...env, RECOLLECT_PUBLIC_URL: 'http://127.0.0.1:1' };
    expect(JSON.parse((await cli.run(['open', '--json'], { env: elsewhere })).out).address).toBe(`${server.address}/`);
    if (process.platform === 'linux') {
      expect((await cli.run(['open', id], { env })).out).toBe(`${server.address}/memory/${id}\n`);
      const browser = join(cli.folder, 'browser');
      await writeFile(browser, `#!/bin/sh\necho "$1" > "${cli.folder}/opened"\n`);
      await chmod(browser, 0o755);
      // Without desktop files, xdg-open starts this browser and not one that is installed.
      const desktop = { ...env, DISPLAY: ':99', BROWSER: browser, XDG_DATA_DIRS: cli.folder };
      await cli.run(['open', id], { env: desktop });
      await expect
        .poll(() => readFile(join(cli.folder, 'opened'), 'utf8').catch(() => ''))
        .toBe(`${server.address}/memory/${id}\n`);
    }
    await server.stop();
    const { code, out, err } = await cli.run(['open'], { env });
    expect([code, out, err]).toEqual([
      1,
      '',
      `No Recollect server answers at ${server.address}. Start one with: recollect serve\n`,
    ]);
  });
});
