import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { pressMore } from '../press-more.js';
import { describeApp, eventually, expectOutcome, rows } from './open-app.js';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** The rules whose outcome depends on the colours. */
const COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };
const LOOKS = [
  { colorScheme: 'light', contrast: 'no-preference' },
  { colorScheme: 'dark', contrast: 'no-preference' },
  { colorScheme: 'light', contrast: 'more' },
  { colorScheme: 'dark', contrast: 'more' },
] as const;

const TEXT = `# Lamps

A [link](https://lamps.example/) and \`code\`.

\`\`\`
const lamp = 1;
\`\`\`

| Oil | Light |
|---|---|
| Colza | dim |

- [ ] buy oil
- [x] trim the wick

> A quotation with $x_1$ in it.

![a lamp](https://lamps.example/lamp.png)`;

describeApp('accessibility (WCAG 2.2 AA, with axe)', (app) => {
  let axe = '';
  let ids: string[] = [];

  beforeAll(async () => {
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    // The page's policy admits no script but its own, so axe is added before each page's content.
    await app().context.addInitScript({ content: axe });
  });

  /** Checks the current page in every color scheme and contrast. */
  const check = async (name: string, looks: readonly (typeof LOOKS)[number][] = LOOKS): Promise<void> => {
    const { page } = app();
    for (const look of looks) {
      await page.emulateMedia({ ...look, reducedMotion: 'reduce' });
      expect(
        await violations(page, look === LOOKS[0] ? RULES : COLOURS),
        `${name}, ${look.colorScheme}, contrast ${look.contrast}`,
      ).toEqual([]);
    }
  };
  const button = (name: string) => app().page.getByRole('button', { name, exact: true });

  test('an empty store', async () => {
    await app().open('/everything');
    await app().page.getByRole('heading', { name: 'Welcome to Recollect' }).waitFor();
    await check('no memories');
    for (const page of ['highlights', 'tags', 'trash']) {
      await app().open(`/${page}`);
      await app().page.locator('.empty-state').waitFor();
      await check(`${page}, empty`);
    }
  });

  test('the list, a selection and its dialog', async () => {
    const { page } = app();
    ids = await app().save(
      {
        title: 'Lamps',
        url: 'https://lamps.example/',
        pageText: TEXT,
        tags: ['light', 'oil'],
        metadata: { author: 'Ada' },
      },
      {
        title: 'Older lamps',
        url: 'https://lamps.example/',
        pageText: 'Lamps of old.',
        capturedAt: '2025-01-02T10:00:00Z',
      },
      { title: 'A note', pageText: 'A note about lamps.', tags: ['light'] },
      {
        title: 'A talk',
        url: 'https://claude.ai/chat/7',
        messages: [
          { role: 'user', text: 'Which lamps?' },
          { role: 'assistant', text: 'Oil lamps.' },
        ],
      },
    );
    await app().open('/everything');
    await eventually(() => rows(page).count()).toBe(4);
    await page.getByRole('complementary', { name: 'Counts' }).waitFor();
    await check('the list');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await button('Add tag').waitFor();
    await check('a selection');
    await button('Add tag').click();
    await page.getByRole('dialog').waitFor();
    await check('the dialog of tags');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  });

  test('a search with chips, suggestions and reasons', async () => {
    const { page } = app();
    await app().open('/?q=tag%3Alight%20lamps');
    await eventually(() => rows(page).count()).toBe(2);
    await check('results');
    await page.getByRole('searchbox').focus();
    await page.getByRole('searchbox').press('End');
    await page.keyboard.type(' site:');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await check('suggestions');
    await app().open('/?q=site%3Anowhere.example');
    await page.getByRole('heading', { name: 'No matches' }).waitFor();
    await check('nothing found');
  });

  test('the reader, its editors and its highlights', async () => {
    const { page, server } = app();
    const [id = '', , note = '', talk = ''] = ids;
    await server.client('createHighlight', { parameters: { id }, body: { quote: 'A quotation', note: 'A note' } });
    await app().open(`/memory/${id}?q=lamps`);
    await page.locator('mark.highlight').waitFor();
    await page.getByRole('list', { name: 'Related' }).waitFor();
    await check('the reader');
    await page.getByText('buy oil').selectText();
    await button('Highlight with note').click();
    await check('the bar of a selection');
    await button('Edit title').click();
    await button('Edit tags').click();
    await check('title and tags being edited');
    await app().open(`/memory/${talk}`);
    await page.locator('.turn').first().waitFor();
    await check('a conversation');
    for (const name of ['Text settings', 'More']) {
      await button(name).click();
      await check(`the menu ${name}`);
      await page.keyboard.press('Escape');
    }
    await app().open(`/memory/${note}`);
    await button('Edit text').click();
    await check('the text being edited');
    await pressMore(page, 'Delete');
    await expectOutcome(page, 'Moved to the trash.');
    await check('an outcome with Undo');
    await app().open(`/memory/${note}`);
    await page.getByRole('heading', { name: 'This memory is not here.' }).waitFor();
    await check('a memory that is gone');
  });

  test('highlights, tags and trash', async () => {
    const { page } = app();
    for (const [address, list] of [
      ['/highlights', 'Highlights'],
      ['/tags', 'Tags'],
      ['/trash', 'Deleted memories'],
    ] as const) {
      await app().open(address);
      await page.getByRole('list', { name: list }).getByRole('listitem').first().waitFor();
      await check(list);
    }
    await button('Empty the trash').click();
    await page.getByRole('dialog').waitFor();
    await check('the question about the trash');
    await page.keyboard.press('Escape');
  });

  test('settings, with a plugin and a new key', async () => {
    const { page, server } = app();
    const counter = (await server.client('listPlugins', {})).plugins.find(({ slug }) => slug === 'counter');
    for (const section of ['connect', 'import-export', 'backups', 'appearance', 'privacy', 'people', 'health']) {
      await app().open(`/settings/${section}`);
      await page.getByRole('navigation', { name: 'Settings' }).waitFor();
      await check(section);
    }
    await app().open('/settings/plugins');
    await button('Install Counter').waitFor();
    await check('plugins');
    await server.client('pluginAction', {
      body: { action: 'install', slug: 'counter', sha256: counter?.sha256 ?? '', allow: [] },
    });
    await page.reload();
    await button('History').click();
    await page.getByText('Configure', { exact: true }).click();
    await check('an installed plugin');
    await app().open('/settings/connect');
    await page.getByRole('radio', { name: 'Choose scopes' }).check();
    await button('Create key').click();
    await page.getByText('Copy the key now.').waitFor();
    await check('a new key');
    // A server that a phone can reach.
    await page.route('**/api/v1/extension/setup', async (route) => {
      const response = await route.fetch();
      const setup = await response.json();
      setup.connection.baseUrl = 'https://recollect.example';
      await route.fulfill({ response, json: setup });
    });
    await page.reload();
    await page.getByRole('region', { name: 'Connect a phone' }).getByRole('button', { name: 'Create a code' }).click();
    await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
    await check('a pairing code');
    await page.unroute('**/api/v1/extension/setup');
  });

  test('the dialogs that every page has, and a narrow window', async () => {
    const { page } = app();
    await app().open('/everything');
    await rows(page).first().waitFor();
    await page.keyboard.press('n');
    await page.getByRole('dialog', { name: 'New note' }).waitFor();
    await check('a new note');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await check('the keys');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Command' }).fill('lamps');
    await page.getByRole('option', { name: /lamps/i }).first().waitFor();
    await check('the palette');
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 320, height: 640 });
    const [id = ''] = ids;
    for (const address of ['/', '/everything', `/memory/${id}`, '/tags', '/trash', '/settings', '/highlights']) {
      await app().open(address);
      await page.locator('main li').first().waitFor();
      await check(`${address} at 320 px`, [LOOKS[0]]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), address).toBeLessThanOrEqual(320);
    }
  });
});

function violations(page: Page, runOnly: unknown): Promise<string[]> {
  return page.evaluate<
    string[]
  >(`axe.run(document, ${JSON.stringify({ runOnly, resultTypes: ['violations'] })}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => id + ': ' + html.slice(0, 200) + ' ' + (any[0]?.message ?? ''))))`);
}
