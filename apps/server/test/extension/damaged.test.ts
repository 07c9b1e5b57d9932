import { mkdtemp, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browserPath } from '@recollect/browser';
import { LOCAL_USER } from '@recollect/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer } from '../start-test-server.js';
import { type Extension, openExtension } from './open-extension.js';
import { ARTICLE } from './sample-pages.js';

describe.skipIf(browserPath === undefined)(
  'the extension with a damaged store (needs Chromium: apt-get install chromium)',
  () => {
    let folder: string;
    let extension: Extension;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'recollect-damaged-'));
      const path = join(folder, 'recollect.db');
      const url = `sqlite:${path}`;
      const server = await startTestServer({ url });
      await server.core.capture(LOCAL_USER, [{ title: 'Tea', pageText: 'Tea is good.' }]);
      await server.core.capture(LOCAL_USER, [{ title: 'Long', pageText: 'Tea takes its time. '.repeat(20_000) }]);
      await server.close();
      await truncate(path, (await stat(path)).size - 8192);
      extension = await openExtension({ url });
    });
    afterAll(async () => {
      await extension?.close();
      await rm(folder, { recursive: true, force: true });
    });

    test('REL-6: says what is wrong and what to do, also in a search, and keeps what is saved in the browser', {
      tags: 'long',
    }, async () => {
      const page = await extension.show('https://post.example/lamps', ARTICLE);
      const popup = await extension.press(page);
      const shown = `document.querySelector('[role=alert]').innerText`;
      await popup.until(`${shown}.includes('The store file is damaged')`);
      expect(await popup.evaluate(shown)).toMatch(/backup.*recollect restore.*What to do/is);
      expect(await popup.evaluate(`document.querySelector('[role=alert] a').href`)).toBe(
        `${extension.server.address}/docs/reliability`,
      );
      await popup.until(`document.body.innerText.includes('Connected')`);
      await popup.press('Save');
      expect(await popup.status(/Kept/)).toMatch(/^Kept in this browser: The store file is damaged/);
      await popup.focus('[type=search]');
      await popup.type('Tea');
      await popup.until(`document.querySelector('search').innerText.includes('The store file is damaged')`);
      expect(await popup.evaluate(`document.querySelector('[role=alert]').checkVisibility()`)).toBe(false);
      await popup.close();
    });
  },
);
