import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { createClient } from '@recollect/contract/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfiguration, settingsForLaunch } from '../src/config.js';
import { systemLanguage } from '../src/system-language.js';
import { createCli } from './run-cli.js';

describe('systemLanguage', () => {
  test.each([
    ['what is set first', { LC_ALL: 'fr_FR.UTF-8', LC_MESSAGES: 'de_DE', LANG: 'en_GB' }, 'fr'],
    ['an empty variable as one that is not set', { LC_ALL: '', LANG: 'ja_JP.UTF-8' }, 'ja'],
    ['a modifier', { LANG: 'ca@valencia' }, 'ca'],
    ['the tag of Windows', {}, 'pt', 'pt-BR'],
    ['the C locale, which is none', { LANG: 'C.UTF-8' }, null, 'de-DE'],
    ['POSIX, which is none', { LC_ALL: 'POSIX', LANG: 'de_DE' }, null],
    ['nothing', {}, null],
    ['what is no locale', { LANG: 'deutsch' }, null],
  ])('reads %s', (_, environment, language, fallback = '') => {
    expect(systemLanguage(environment, fallback)).toBe(language);
  });
});

describe('the model of a store', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recollect-model-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const modelWith = (environment: Record<string, string>) =>
    readConfiguration({ RECOLLECT_DATA_DIR: folder, ...environment }).embeddings;

  test.each([
    ['en_US.UTF-8', { kind: 'shipped', model: 'english' }],
    ['C.UTF-8', { kind: 'shipped', model: 'english' }],
    ['de_DE.UTF-8', { kind: 'shipped', model: 'multilingual' }],
  ])('IDX-6: a new store gets the one for the language of the system, %s', (LANG, model) => {
    expect(modelWith({ LANG })).toEqual(model);
  });

  test('IDX-6: a store of which nothing was written down keeps the English one', async () => {
    await writeFile(join(folder, 'recollect.db'), '');
    expect(modelWith({ LANG: 'de_DE.UTF-8' })).toEqual({ kind: 'shipped', model: 'english' });
  });

  test('IDX-6: RECOLLECT_MODEL names a model that ships, or a folder, and comes before what was chosen', async () => {
    await writeFile(join(folder, 'model.json'), JSON.stringify({ model: 'multilingual' }));
    expect(modelWith({})).toEqual({ kind: 'shipped', model: 'multilingual' });
    expect(modelWith({ RECOLLECT_MODEL: 'english' })).toEqual({ kind: 'shipped', model: 'english' });
    expect(modelWith({ RECOLLECT_MODEL: 'Multilingual' })).toEqual({ kind: 'shipped', model: 'multilingual' });
    expect(modelWith({ RECOLLECT_MODEL: 'shipped' })).toEqual({ kind: 'shipped', model: 'english' });
    const own = { kind: 'folder', folder: resolve('models/own') };
    expect(modelWith({ RECOLLECT_MODEL: 'models/own' })).toEqual({ ...own, namedBy: 'RECOLLECT_MODEL' });
    expect(modelWith({ RECOLLECT_MODEL_DIR: 'models/own' })).toEqual({ ...own, namedBy: 'RECOLLECT_MODEL_DIR' });
    await writeFile(join(folder, 'model.json'), JSON.stringify({ folder: '/models/own' }));
    expect(modelWith({})).toEqual({ kind: 'folder', folder: '/models/own' });
  });

  test('IDX-6: settings and files that decide nothing are rejected with a sentence', async () => {
    const both = { RECOLLECT_MODEL: 'english', RECOLLECT_MODEL_DIR: '/models' };
    expect(() => modelWith(both)).toThrow('Set RECOLLECT_MODEL or RECOLLECT_MODEL_DIR, not both.');
    const service = { RECOLLECT_MODEL: 'english', RECOLLECT_EMBEDDINGS_URL: 'http://127.0.0.1:1' };
    expect(() => modelWith(service)).toThrow('Set RECOLLECT_EMBEDDINGS_URL or RECOLLECT_MODEL, not both.');
    for (const content of ['{}', 'null', '{"model":"klingon"}', '{"folder":""}']) {
      await writeFile(join(folder, 'model.json'), content);
      expect(() => modelWith({}), content).toThrow(
        /model\.json (?:names|cannot be read).*recollect model use english/s,
      );
    }
  });

  test('IDX-6: a program that is started by another one gets the same model', () => {
    const launched = (environment: Record<string, string>) => settingsForLaunch(environment).RECOLLECT_MODEL;
    expect(launched({})).toBeNull();
    expect(launched({ RECOLLECT_MODEL: 'multilingual' })).toBe('multilingual');
    expect(launched({ RECOLLECT_MODEL_DIR: 'own' })).toBe(resolve('own'));
    // The setting of an earlier installation is removed: both together are rejected.
    expect(settingsForLaunch({ RECOLLECT_MODEL: 'english' }).RECOLLECT_MODEL_DIR).toBeNull();
  });

  test('IDX-6: a store that is made on a German system says which model it gets, and keeps it, also where it is restored', {
    tags: 'long',
  }, async () => {
    const cli = await createCli({ LANG: 'de_DE.UTF-8' });
    try {
      const first = await cli.run(['recent']);
      expect([first.code, first.err]).toEqual([
        0,
        'The language of this system is German, so this store gets the multilingual model. It reads 23 languages. The English one is smaller: recollect model use english.\n',
      ]);
      const choice = await readFile(join(cli.folder, 'data', 'model.json'), 'utf8');
      expect(JSON.parse(choice)).toEqual({ model: 'multilingual' });
      const later = await cli.run(['status', '--json'], { env: { LANG: 'en_GB.UTF-8' } });
      expect([later.err, JSON.parse(later.out).model]).toEqual(['', expect.stringMatching(/^multilingual-e5-small/)]);
      // A question in one language finds what is written in another.
      const id = await cli.save('Green tea is steeped below boiling, or it turns bitter.', '--wait');
      await cli.save('Die Bahn fährt am Sonntag nur jede Stunde.', '--wait');
      const question = 'Wie heiß darf das Wasser für grünen Tee sein?';
      // On a busy machine the model may take longer to load than a search waits for it.
      await expect
        .poll(async () => JSON.parse((await cli.run(['search', question, '--json'])).out).results[0]?.id)
        .toBe(id);
      const { path } = await cli.json(['backup']);
      const elsewhere = await createCli();
      try {
        await elsewhere.json(['restore', path, '--yes']);
        const { model, embeddings } = await elsewhere.json(['status']);
        expect([model, embeddings.withoutEmbeddings]).toEqual([JSON.parse(later.out).model, 0]);
      } finally {
        await elsewhere.remove();
      }
    } finally {
      await cli.remove();
    }
  });

  test('IDX-6: a store has the model of its system although it was made without one', async () => {
    const cli = await createCli({ LANG: 'ar_EG.UTF-8' });
    try {
      expect(await cli.run(['recent'], { env: { RECOLLECT_EMBEDDINGS: 'off' } })).toMatchObject({ code: 0, err: '' });
      expect((await cli.json(['status'])).model).toMatch(/^multilingual-e5-small/);
      const other = await cli.run(['recent'], { env: { RECOLLECT_DATA_DIR: join(cli.folder, 'other') } });
      expect(other.err).toContain('It reads 23 languages, though not Arabic, which is searched by word.');
    } finally {
      await cli.remove();
    }
  });

  test('IDX-6: a running server changes its model at the same address, and makes its embeddings', {
    tags: 'long',
  }, async () => {
    const cli = await createCli();
    try {
      const id = await cli.save('Green tea is steeped below boiling, or it turns bitter.', '--wait');
      await cli.save('The train runs only every hour on Sundays.', '--wait');
      const server = cli.start(['serve']);
      const lines = createInterface({ input: server.stdout as Readable })[Symbol.asyncIterator]();
      const address = await firstMatch(lines, /Open (http:\S+) in/);
      const changed = await cli.run(['model', 'use', 'multilingual', '--force']);
      expect([changed.code, changed.err, changed.out]).toEqual([
        0,
        '',
        expect.stringMatching(/^The running server changes to the multilingual model\. It makes/),
      ]);
      await firstMatch(lines, /started again with another model/);
      const client = createClient({ baseUrl: address });
      expect(await client('getModel', {})).toMatchObject({ model: 'multilingual', next: null, setting: null });
      await expect.poll(async () => (await client('reindexState', {})).needsReindex).toBe(false);
      const { results } = await client('query', { body: { query: 'Wie heiß darf das Wasser für grünen Tee sein?' } });
      expect(results[0]?.id).toBe(id);
      const same = await cli.run(['model', 'use', 'multilingual', '--force']);
      expect(same.out).toMatch(/^Recollect uses the multilingual model from its next start on/);
      // The command finds the server again, although it has another secret now.
      const again = await cli.run(['model', 'use', 'english', '--force']);
      expect(again.out).toContain('The running server changes to the English model');
      await firstMatch(lines, /started again with another model/);
      expect((await cli.json(['status'])).model).toMatch(/^all-MiniLM/);
      server.kill();
      await firstMatch(lines, /Recollect has stopped\. Everything is saved\./);
    } finally {
      await cli.remove();
    }
  });
});

/** The first group of the first line that matches, or the whole line. */
async function firstMatch(lines: AsyncIterator<string>, pattern: RegExp): Promise<string> {
  for (;;) {
    const { value, done } = await lines.next();
    if (done) throw new Error(`No line matches ${pattern}.`);
    const found = pattern.exec(value);
    if (found !== null) return found[1] ?? found[0];
  }
}
