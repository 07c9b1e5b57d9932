import { browserPath } from '@recollect/browser';
import { extensionOrigin } from '@recollect/contract';
import { LOCAL_USER } from '@recollect/core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Extension, openExtension } from './open-extension.js';
import { openOptions, PAGE } from './page-highlights.js';

describe.skipIf(browserPath === undefined)('the side panel (needs Chromium: apt-get install chromium)', () => {
  let extension: Extension;
  beforeAll(async () => {
    extension = await openExtension({ hasPageAccess: true });
  });
  afterAll(() => extension?.close());

  const save = async (url: string, title: string) => {
    const { answer } = await extension.server.core.capture(LOCAL_USER, [{ url, title, pageText: `Text of ${title}` }]);
    return answer.captures[0]?.id ?? '';
  };
  /** The panel as a tab. It follows the tab that its window shows. */
  const openPanel = async () => {
    const panel = await extension.context.newPage();
    await panel.goto(`${extensionOrigin}/panel.html`);
    return panel;
  };
  const shown = (panel: Page) => expect.poll(() => panel.evaluate('document.body.innerText'));
  const panelSwitch = (options: Page) => options.getByRole('switch', { name: 'Side panel' });

  test('EXT-11: is off until it is switched on, in the panel and in the browser', async () => {
    const panel = await openPanel();
    await panel.getByText('The side panel is off.').waitFor();
    const opened = extension.context.waitForEvent('page');
    await panel.getByRole('button', { name: 'Open the options' }).click();
    const options = await opened;
    expect(options.url()).toBe(`${extensionOrigin}/options.html`);
    await options.close();
    expect(await panel.evaluate('chrome.permissions.contains({ permissions: ["sidePanel"] })')).toBe(false);
    await panel.close();
  });

  test('EXT-11: shows the memories of the page and of its site, and follows the tab', async () => {
    const options = await openOptions(extension.context);
    await panelSwitch(options).click();
    await options.getByText('On. Open it from the menu').waitFor();
    expect(await options.evaluate('requested')).toEqual(['http://*/*', 'https://*/*']);
    const [one, two] = ['https://lamp.example/one', 'https://lamp.example/two'];
    const id = await save(one, 'Lamps of the quay');
    await save(two, 'Oil for lamps');
    await save('https://other.example/', 'Not of this site');
    const { highlights } = extension.server.core;
    await highlights.create(LOCAL_USER, id, { quote: 'the light is white', note: 'At night', colour: 'blue' });
    await highlights.create(LOCAL_USER, id, { quote: 'Words that the page has no longer.' });

    const panel = await openPanel();
    const page = await extension.show(one, PAGE);
    await page.bringToFront();
    await shown(panel).toContain('Words that the page has no longer.');
    const saved = panel.getByRole('region', { name: 'This page' });
    expect(await saved.getByRole('link').getAttribute('href')).toBe(`${extension.server.address}/memory/${id}`);
    expect(await saved.innerText()).toMatch(/Lamps of the quay\s+now|Lamps of the quay/);
    expect(await saved.getByRole('listitem').allInnerTexts()).toEqual([
      'Words that the page has no longer.',
      expect.stringMatching(/^the light is white\s+At night$/),
    ]);
    const site = panel.getByRole('region', { name: 'lamp.example' });
    expect(await site.getByRole('link').allInnerTexts()).toEqual([expect.stringMatching(/^Oil for lamps/)]);
    expect(await panel.evaluate('document.body.innerText')).not.toContain('Not of this site');

    await page.goto('about:blank');
    await shown(panel).toContain('This page belongs to the browser.');
    await page.goto(`${extension.server.address}/docs`);
    await shown(panel).toContain('This is your Recollect.');
    const unsaved = await extension.show('https://new.example/page', PAGE);
    await shown(panel).toMatch(/Not saved\.[\s\S]*new\.example[\s\S]*Nothing else saved\./);
    const popup = await extension.press(unsaved);
    await popup.press('Save');
    await popup.status(/saved/);
    await popup.close();
    await shown(panel).toMatch(/This page\s+Lamps/);

    // Without the server, and with it again.
    await extension.server.stopListening();
    const last = await extension.show('https://lamp.example/three', PAGE);
    await shown(panel).toContain('Recollect does not answer.');
    await extension.server.listenAgain();
    await panel.getByRole('button', { name: 'Try again' }).click();
    await shown(panel).toContain('Oil for lamps');

    // The options are open in another tab.
    await options.bringToFront();
    await panelSwitch(options).click();
    await panel.getByText('The side panel is off.').waitFor();
    await expect.poll(() => options.evaluate('globalThis.removed')).toEqual(['http://*/*', 'https://*/*']);
    for (const tab of [panel, page, unsaved, last, options]) await tab.close();
  });

  test('EXT-11: Chromium lists the panel only while it is on', async () => {
    const options = await extension.context.newPage();
    await options.goto(`${extensionOrigin}/options.html`);
    // Without a warning to show, Chromium gives this permission at once.
    await panelSwitch(options).click();
    await options.getByText('On. Open it from the menu').waitFor();
    expect(await options.evaluate('chrome.sidePanel.getOptions({})')).toMatchObject({
      enabled: true,
      path: expect.stringMatching(/panel\.html$/),
    });
    // The permission for web pages is in the manifest of this test, where it cannot be given back.
    await options.evaluate(`Object.assign(chrome.permissions, { remove: async () => true })`);
    await panelSwitch(options).click();
    await expect.poll(() => options.evaluate('chrome.sidePanel.getOptions({})')).toMatchObject({ enabled: false });
    await options.close();
  });
});
