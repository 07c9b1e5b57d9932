import type { ModelState } from '@recollect/contract';
import { createModels, LOCAL_USER } from '@recollect/core';
import { expect, test } from 'vitest';
import { describeApp, eventually, expectOutcome, expectTitles, focused, undo } from './open-app.js';

/** The choice of models, which these tests change. */
const models: ModelState = {
  model: 'english',
  next: null,
  setting: null,
  models: [
    { name: 'english', languages: ['en'] },
    { name: 'multilingual', languages: ['de', 'en', 'ja'] },
  ],
};
const modelCatalogue = {
  state: () => models,
  async choose(model: 'english' | 'multilingual') {
    models.next = model;
  },
};

/** A window without room for the list of pages beside a page. */
const PHONE = { width: 390, height: 844 };
const WIDE = { width: 1280, height: 800 };

describeApp(
  'settings',
  (app) => {
    const button = (name: string) => app().page.getByRole('button', { name, exact: true });
    const section = (name: string) => app().page.getByRole('region', { name, exact: true });
    const dialog = (name: string) => app().page.getByRole('dialog', { name, exact: true });
    const confirm = async (name: string, action: string) => {
      await dialog(name).getByRole('button', { name: action }).click();
      await eventually(() => dialog(name).count()).toBe(0);
    };

    const pages = () => app().page.getByRole('navigation', { name: 'Settings' }).getByRole('link');

    test('is a list of pages with the first one beside it, and on a phone a list that leads to pages', {
      tags: 'long',
    }, async () => {
      const { page } = app();
      await page.setViewportSize(WIDE);
      await app().open('/settings');
      await page.waitForURL('**/settings/connect');
      const names = [
        'Connect',
        'Import and export',
        'Backups',
        'Languages',
        'Appearance',
        'Plugins',
        'Statistics',
        'Privacy',
        'People',
        'Health',
      ];
      expect(await pages().allTextContents()).toEqual(names);
      for (const name of names) {
        await pages().filter({ hasText: name }).click();
        await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
        await eventually(() => page.title()).toBe(`${name} – Recollect`);
        expect(await pages().and(page.locator('[aria-current=page]')).textContent()).toBe(name);
        // Its address leads to it too.
        await page.reload();
        await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
      }
      await page.setViewportSize(PHONE);
      await app().open('/settings');
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
      await pages().filter({ hasText: 'Backups' }).click();
      await eventually(() => focused(page)).toBe('h1 Backups');
      expect(await pages().count()).toBe(0);
      await page.getByRole('main').getByRole('link', { name: 'Settings' }).click();
      await eventually(() => pages().count()).toBe(names.length);
      // With room for both, the first page is shown.
      await page.setViewportSize(WIDE);
      await page.waitForURL('**/settings/connect');
      await app().open('/settings/none');
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    });

    test('IDX-6: changes the languages that search reads, and follows the change', async () => {
      const { page } = app();
      await app().open('/settings/languages');
      const radio = (name: string) => page.getByRole('radio', { name, exact: true });
      await radio('English only (fastest)').and(page.locator(':checked')).waitFor();
      expect(await button('Change').count()).toBe(0);
      await radio('English and 2 more languages').check();
      await page.getByText('Search keeps working, and you can switch back').waitFor();
      await button('Change').click();
      await button('Changing …').waitFor();
      expect(await radio('English only (fastest)').isDisabled()).toBe(true);
      // The server has started again.
      Object.assign(models, { model: 'multilingual', next: null });
      await eventually(() => button('Changing …').count()).toBe(0);
      expect(await radio('English and 2 more languages').isChecked()).toBe(true);
      expect(await button('Change').count()).toBe(0);
      Object.assign(models, { setting: 'RECOLLECT_MODEL' });
      await page.reload();
      await page.getByText('The setting RECOLLECT_MODEL decides which model is used.').waitFor();
      expect(await radio('English only (fastest)').isDisabled()).toBe(true);
    });

    test('SYS-51: shows the health of the deployment in a sentence and a grid, and follows it', async () => {
      const { page } = app();
      await app().save(
        { title: 'A', url: 'https://lamps.example/a', pageText: 'The text of A.' },
        { title: 'B', url: 'https://lamps.example/b', pageText: 'The text of B.' },
        { title: 'C', url: 'https://oil.example/c', pageText: 'The text of C.' },
      );
      await app().open('/settings/health');
      const fact = (name: string) =>
        section('Health')
          .locator('dl > div')
          .filter({ has: page.getByText(name, { exact: true }) })
          .locator('dd');
      await eventually(() => fact('Memories').textContent()).toBe('3 in 3 passages');
      expect(await fact('Version').textContent()).toBe('0.1.0-test');
      expect(await fact('Store').textContent()).toBe('In memory');
      expect(await section('Health').getByRole('status').textContent()).toBe('Everything works.');
      await app().save({ title: 'D', pageText: 'My note D.' });
      await eventually(() => fact('Memories').textContent()).toBe('4 in 4 passages');
      // Without a model, nothing makes the missing embeddings.
      await page.route('**/api/v1/status', async (route) => {
        const response = await route.fetch();
        const json = await response.json();
        json.model = null;
        Object.assign(json.embeddings, { withEmbeddings: 0, needsReindex: true, secondsLeft: null });
        await route.fulfill({ response, json });
      });
      await page.reload();
      await eventually(() => fact('Search by meaning').textContent()).toBe('Off');
      expect(await page.getByText('Making embeddings').count()).toBe(0);
      await page.unroute('**/api/v1/status');
    });

    test('SYS-53: shows what was saved and read, as charts and as tables', async () => {
      const { page } = app();
      await app().open('/settings/statistics');
      const chart = section('Saved and read a week');
      await chart.getByText('In the last 26 weeks: 4 memories saved, 0 read.').waitFor();
      await chart.getByText('As a table').click();
      expect(await chart.getByRole('row').last().getByRole('cell').allTextContents()).toEqual(['4', '0']);
      await section('Sites').getByRole('link', { name: 'lamps.example' }).click();
      await expectTitles(page, ['B', 'A']);
      await page.goBack();
    });

    test('shows who saved what, and deletes everything from a site after a preview', async () => {
      const { page, server } = app();
      const total = async () => (await server.client('countMemories', { query: {} })).total;
      await app().open('/settings/privacy');
      await page.getByRole('list', { name: 'Clients' }).getByRole('link', { name: 'a script' }).waitFor();
      await button('Delete all from lamps.example').click();
      const question = dialog('Delete all memories from lamps.example?');
      const preview = question.getByText('2 memories go to the trash');
      expect(await preview.textContent()).toMatch(/“[AB]”, “[AB]”\.$/);
      await page.keyboard.press('Escape');
      await eventually(() => focused(page)).toBe('button Delete all from lamps.example');
      expect(await total()).toBe(4);
      await button('Delete all from lamps.example').click();
      await confirm('Delete all memories from lamps.example?', 'Move to the trash');
      await expectOutcome(page, '2 memories moved to the trash.');
      expect(await total()).toBe(2);
      await undo(page);
      await eventually(total).toBe(4);
      await button('Delete all from lamps.example').waitFor();
      // A site can also be typed.
      await page.getByRole('textbox', { name: 'Site', exact: true }).fill('nothing.example');
      await page.keyboard.press('Enter');
      await expectOutcome(page, 'Nothing is saved from nothing.example.');
    });

    test('forgets everything from a client, and leads to its memories', async () => {
      const { page } = app();
      await page.getByRole('list', { name: 'Clients' }).getByRole('link', { name: 'a script' }).click();
      await expectTitles(page, ['D', 'C', 'B', 'A']);
      await page.goBack();
      await button('Delete all from a script').click();
      await dialog('Delete all memories from a script?').getByText('4 memories go to the trash').waitFor();
      await confirm('Delete all memories from a script?', 'Move to the trash');
      await expectOutcome(page, '4 memories moved to the trash.');
      await undo(page);
      await expectOutcome(page, 'Undone.');
    });

    test('forgets everything from one assistant, with any name, and from clients without one', async () => {
      const { page, server } = app();
      for (const name of ['My "Best" Client', null]) {
        const by = { client: 'mcp', name, key: null } as const;
        await server.core.capture(LOCAL_USER, [{ title: `By ${name}`, pageText: `The text by ${name}.` }], {
          actor: by,
        });
      }
      for (const [client, title] of [
        ['the assistant My "Best" Client', 'By My "Best" Client'],
        ['an assistant', 'By null'],
      ] as const) {
        await page.getByRole('list', { name: 'Clients' }).getByRole('link', { name: client, exact: true }).click();
        await expectTitles(page, [title]);
        await page.goBack();
        await button(`Delete all from ${client}`).click();
        await dialog(`Delete all memories from ${client}?`)
          .getByText(`1 memory goes to the trash: “${title}”.`)
          .waitFor();
        await confirm(`Delete all memories from ${client}?`, 'Move to the trash');
        await expectOutcome(page, '1 memory moved to the trash.');
      }
    });

    test('installs, configures, schedules and runs a plugin, and shows its history', async () => {
      const { page, server } = app();
      const counter = async () =>
        (await server.client('listPlugins', {})).plugins.find(({ slug }) => slug === 'counter');
      await app().open('/settings/plugins');
      await button('Install Counter').click();
      await dialog('Install Counter?').getByText('It may save new ones. Installing a plugin runs its code').waitFor();
      await confirm('Install Counter?', 'Install');
      await button('Disable Counter').waitFor();

      await page.getByText('Configure', { exact: true }).click();
      const step = page.getByRole('spinbutton', { name: 'step' });
      await step.fill('');
      expect(await step.inputValue()).toBe('');
      await step.pressSequentially('0.75');
      expect(await step.inputValue()).toBe('0.75');
      await step.fill('5');
      await button('Save configuration').click();
      await eventually(async () => (await counter())?.configuration).toEqual({ step: 5 });

      await button('Run now: Count').click();
      await expectOutcome(page, 'count of counter finished: success.');
      await button('History').click();
      await page.getByRole('list', { name: 'Runs of Counter' }).getByText('count is 5').waitFor();

      const every = page.getByRole('combobox', { name: 'Schedule of Count' });
      const schedule = async () => (await counter())?.jobs.find(({ jobId }) => jobId === 'count')?.schedule;
      const shown = () => every.evaluate((list) => (list as HTMLSelectElement).selectedOptions[0]?.textContent);
      expect(await every.getByRole('option').allTextContents()).toEqual(
        expect.arrayContaining(['only on request', 'every 15 minutes', 'every hour', 'once a day', 'once a week']),
      );
      await every.selectOption('every 6 hours');
      await expectOutcome(page, 'count of counter runs every 6 hours.');
      expect([(await schedule())?.enabled, (await schedule())?.intervalMinutes]).toEqual([true, 360]);
      await undo(page);
      await eventually(async () => (await schedule())?.enabled ?? false).toBe(false);
      await eventually(shown).toBe('only on request');
      // An interval that the command line set is in words too.
      const action = { action: 'configure-job-schedule', slug: 'counter', jobId: 'count' } as const;
      await server.client('pluginAction', { body: { ...action, enabled: true, intervalMinutes: 90 } });
      await page.reload();
      await eventually(shown).toBe('every 90 minutes');

      await button('Disable Counter').click();
      await button('Enable Counter').waitFor();
      await undo(page);
      await button('Disable Counter').waitFor();
      await button('Uninstall Counter').click();
      await confirm('Uninstall Counter?', 'Uninstall');
      await button('Install Counter').waitFor();
    });

    test('creates an API key, shows it once, and revokes it', async () => {
      const { page, server } = app();
      await app().open('/settings/connect');
      await page.getByRole('textbox', { name: 'Key name' }).fill('Phone');
      expect(await page.getByRole('radio', { name: 'Read and save' }).isChecked()).toBe(true);
      await button('Create key').click();
      const shown = page.getByText('Copy the key now. It is not shown again.').locator('..');
      const key = (await shown.locator('code').textContent()) ?? '';
      expect(key).toMatch(/^rec_/);
      await button('Copy').click();
      await expectOutcome(page, 'The key is copied.');
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
      const { apiKeys } = await server.client('listApiKeys', {});
      expect(apiKeys.map(({ name, scopes }) => [name, scopes])).toEqual([['Phone', ['capture:write', 'memory:read']]]);
      await section('API keys').getByText('Can read and save. Created').waitFor();
      await button('Done').click();
      await eventually(() => page.getByText(key).count()).toBe(0);
      await button('Revoke Phone').click();
      await confirm('Revoke Phone?', 'Revoke');
      await expectOutcome(page, 'The key is revoked.');
      await eventually(() => button('Revoke Phone').count()).toBe(0);
    });

    test('creates keys for the presets, and for scopes that are chosen one by one', async () => {
      const { page, server } = app();
      const scopes = async () => (await server.client('listApiKeys', {})).apiKeys[0]?.scopes;
      const create = async () => {
        await button('Create key').click();
        await button('Done').click();
      };
      for (const [name, given] of [
        ['Save only', ['capture:write']],
        ['Everything', ['admin']],
      ] as const) {
        await page.getByRole('radio', { name }).check();
        await create();
        await eventually(scopes).toEqual(given);
      }
      await page.getByRole('radio', { name: 'Save only' }).check();
      expect(await page.getByRole('group', { name: 'Scopes' }).count()).toBe(0);
      await page.getByRole('radio', { name: 'Choose scopes' }).check();
      await page.getByRole('checkbox', { name: 'index:run create embeddings' }).check();
      await create();
      await eventually(scopes).toEqual(['capture:write', 'index:run']);
      await section('API keys').getByText('Can save, create embeddings. Created').waitFor();
    });

    test('chooses light or dark, and keeps the choice', async () => {
      const { page } = app();
      await app().open('/settings/appearance');
      const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
      await page.emulateMedia({ colorScheme: 'light' });
      const light = await background();
      await page.getByRole('radio', { name: 'Dark' }).check();
      await eventually(background).not.toBe(light);
      await page.reload();
      expect(await page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true);
      expect(await background()).not.toBe(light);
      // By keyboard: the arrows choose among the three, and scroll nothing else.
      await page.getByRole('radio', { name: 'Dark' }).focus();
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowUp');
      await eventually(() => page.getByRole('radio', { name: 'Match system' }).isChecked()).toBe(true);
      await eventually(background).toBe(light);
    });

    test('SYS-50: chooses accent, text size, density and dates, and keeps the choices', async () => {
      const { page } = app();
      await app().open('/settings/appearance');
      const choose = (name: string, choice: string) =>
        page.getByRole('radiogroup', { name, exact: true }).getByRole('radio', { name: choice, exact: true }).check();
      const look = () =>
        page.evaluate(() => {
          const style = getComputedStyle(document.documentElement);
          return [style.fontSize, style.getPropertyValue('--accent')];
        });
      const [size, accent] = await look();
      await choose('Accent', 'Green');
      await choose('Text size', 'Large');
      await eventually(look).not.toEqual([size, accent]);
      const chosen = await look();
      expect(chosen[0]).toBe('18px');
      await page.reload();
      await page.getByRole('radiogroup', { name: 'Accent' }).waitFor();
      expect(await look()).toEqual(chosen);
      await choose('Density', 'Compact');
      await choose('Dates', 'Date');
      await app().open('/everything');
      const row = page.getByRole('main').locator('time').first();
      expect(await row.textContent()).toMatch(/^\w{3} \d+|^\d+ \w{3}/);
      expect(await page.getByRole('radio', { name: 'Compact' }).isChecked()).toBe(true);
      await page.evaluate(() => localStorage.clear());
    });

    test('SYS-12: offers no code for a phone at an address of this computer only', async () => {
      await app().open('/settings/connect');
      const card = section('Connect a phone');
      await card.getByText('This address works on this computer only').waitFor();
      expect(await card.getByRole('link').getAttribute('href')).toBe('/docs/self-hosting');
      expect(await card.getByRole('button').count()).toBe(0);
    });

    test('SYS-12, EXT-8: gives a code to the extension of a store, also on this computer', async () => {
      const { server } = app();
      const card = section('Browser extension');
      await card.getByRole('button', { name: 'Create a code' }).click();
      const link = await card.getByText(`${server.address}/#pair=`).innerText();
      expect(await card.getByRole('img').count()).toBe(0);
      const { apiKey } = await server.core.pairings.redeem(link.split('=')[1] ?? '', 'Extension in Firefox');
      await card.getByRole('status').getByText(`Connected: ${apiKey.name}.`).waitFor();
      await app().page.getByRole('list', { name: 'API keys' }).getByText(`${apiKey.name}`).waitFor();
      await server.core.apiKeys.revoke(LOCAL_USER, apiKey.id);
    });

    test('leads to the setup of the extension, the bookmarklet and assistants', async () => {
      const { page, server } = app();
      await app().open('/settings/connect');
      const card = (name: string) => page.getByRole('region', { name, exact: true });
      const address = card('Another assistant').locator('code');
      await address.waitFor();
      expect(await address.textContent()).toMatch(new RegExp(`^${server.address}/\\S*mcp$`));
      await button('Copy the command for Claude Code').click();
      await expectOutcome(page, 'The command is copied.');
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('recollect mcp install claude-code');
      const links = page.getByRole('main').getByRole('link');
      const addresses = await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
      expect(addresses).toEqual(expect.arrayContaining([`${server.address}/save`, `${server.address}/docs`]));
      for (const href of addresses) expect((await fetch(href)).status, href).toBe(200);
      await card('Browser extension').getByRole('link', { name: 'Download' }).waitFor();
      await page.getByRole('link', { name: 'Documentation', exact: true }).click();
      await page.waitForURL(`${server.address}/docs`);
    });
  },
  { change: (core) => ({ ...core, models: createModels({ modelCatalogue }) }) },
);
