import { browserPath } from '@recollect/browser';
import { LOCAL_USER } from '@recollect/core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pressMore } from '../press-more.js';
import { hostileText, vectors } from './hostile-text.js';
import { type OpenApp, openApp } from './open-app.js';

/** Elements and attributes that only the app may create, and no stored text. */
const FOREIGN =
  'script:not([src^="/assets/"]), style, iframe, object, embed, base, template, video, audio, math, [style*="url("], article svg:not(.code-tools *), article form, article button:not(.code-tools *), article style, article [class*="sign-in"], article [id], article [name], article [style]';

describe.skipIf(browserPath === undefined)('hostile content (needs Chromium: apt-get install chromium)', () => {
  let app: OpenApp;
  let page: Page;
  let faults: string[];
  let id = '';
  let otherId = '';
  let conversationId = '';

  const show = (path: string) => page.goto(app.server.address + path);
  const isComplete = () => page.locator('article[aria-busy="false"]').waitFor();
  /** Expects that the page is what the app made it, and nothing has run or left the origin. */
  const expectHarmless = async () => {
    expect(await page.evaluate(() => (window as { __ran?: number }).__ran)).toBeUndefined();
    expect(
      await page.evaluate(
        (foreign) => Array.from(document.querySelectorAll(foreign), (element) => element.outerHTML),
        FOREIGN,
      ),
    ).toEqual([]);
    const handlers = await page.evaluate(() =>
      Array.from(document.querySelectorAll('*'), (element) =>
        element.getAttributeNames().filter((name) => name.startsWith('on')),
      ).flat(),
    );
    expect(handlers).toEqual([]);
    const links = await page.evaluate(() =>
      Array.from(document.querySelectorAll('a[href]'), (link) => (link as HTMLAnchorElement).href),
    );
    expect(links.filter((link) => !/^https?:\/\//.test(link))).toEqual([]);
    expect(await page.title()).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(faults).toEqual([]);
  };

  beforeAll(async () => {
    app = await openApp();
    const tags = ['<img src=x onerror=window.__ran=1>', '"><script>window.__ran=1</script>', '\u202Egat'];
    [id = '', otherId = '', conversationId = ''] = await app.save(
      {
        title: `\u202E<img src=x onerror=window.__ran=1>\u0007 ${'W'.repeat(500)}`,
        url: 'https://xn--pple-43d.com/<script>window.__ran=1</script>?q="onmouseover="window.__ran=1',
        pageText: hostileText,
        tags,
        note: hostileText.slice(0, 10_000),
        metadata: {
          author: '<svg onload=window.__ran=1>\u202E',
          published: '"><img src=x onerror=window.__ran=1>',
          language: 'en"><script>window.__ran=1</script>',
          siteName: '<b>',
        },
      },
      {
        title: 'Images',
        pageText: 'More: ![x](https://evil.example/second.png) and ![y](http://evil.example/third.png)',
      },
      {
        title: 'A conversation',
        messages: vectors.map((text, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', text })),
      },
    );
    await app.server.core.memories.update(LOCAL_USER, id, { note: hostileText.slice(0, 10_000), tags });
    ({ page, faults } = await app.open('/everything'));
  });
  afterAll(() => app?.close());

  test('does nothing in lists, results, counts and completions', async () => {
    await page.getByRole('list', { name: 'Memories' }).getByRole('listitem').nth(2).waitFor();
    await page.getByRole('complementary', { name: 'Counts' }).getByText('xn--pple-43d.com').waitFor();
    await expectHarmless();
    await page.getByRole('searchbox', { name: 'Search' }).fill('img onerror');
    await page.getByText(/^\d+ results?$/).waitFor();
    await expectHarmless();
    await page.getByRole('searchbox', { name: 'Search' }).fill('tag:');
    await page.getByRole('option').first().waitFor();
    await expectHarmless();
    await page.getByRole('searchbox', { name: 'Search' }).fill('');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Command' }).fill('onerror');
    await page.getByRole('dialog').getByRole('option').first().waitFor();
    await expectHarmless();
    await page.keyboard.press('Escape');
  });

  test('does nothing in the reader, and shows what was written', async () => {
    await show(`/memory/${id}`);
    await isComplete();
    await expectHarmless();
    const text = (await page.getByRole('article').textContent()) ?? '';
    for (const shown of [
      '<script>window.__ran=1</script>',
      '<iframe srcdoc=',
      '@import url(https://evil.example',
      '<form id=body>',
    ])
      expect(text).toContain(shown);
    // Nothing that was written can be pressed, and links lead where they say.
    expect(
      await page.getByRole('article').locator('button:not(.code-tools *), input:not([type=checkbox])').count(),
    ).toBe(0);
    const links = page.getByRole('article').locator('a[href]');
    for (const link of await links.all()) {
      expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
      expect(await link.getAttribute('target')).toBe('_blank');
    }
    expect(await page.getByRole('article').locator('a[title="https://xn--pple-43d.com/"]').count()).toBeGreaterThan(0);
    await page.locator('.facts').getByText('xn--pple-43d.com').waitFor();
    // The title is text, and a direction in it ends with it.
    const heading = page.getByRole('heading', { level: 1 });
    expect(await heading.textContent()).toContain('<img src=x');
    expect(await heading.evaluate((element) => getComputedStyle(element).unicodeBidi)).toMatch(/isolate|plaintext/);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  });

  test('does nothing in a conversation, in tags, in the trash and in highlights', async () => {
    await show(`/memory/${conversationId}`);
    await isComplete();
    await expectHarmless();
    await app.server.client('createHighlight', {
      parameters: { id },
      body: { quote: '<img src=x onerror=window.__ran=1>', prefix: '', suffix: '', note: hostileText.slice(0, 5_000) },
    });
    for (const path of ['/highlights', '/tags', `/memory/${id}`]) {
      await show(path);
      await page.getByText('onerror').first().waitFor();
      await expectHarmless();
    }
    await pressMore(page, 'Delete');
    await page.getByRole('status').filter({ hasText: 'Moved to the trash.' }).waitFor();
    await show('/trash');
    await page.getByText('onerror').first().waitFor();
    await expectHarmless();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('The trash is empty.').waitFor();
  });

  test('loads remote images only for the memory whose button was pressed', async () => {
    const remote: string[] = [];
    await app.browser.context.route('**/*evil.example/**', (route) => {
      remote.push(new URL(route.request().url()).pathname);
      return route.fulfill({ status: 404, body: '' });
    });
    for (const path of [`/memory/${otherId}`, `/memory/${otherId}?images=show`]) {
      await show(path);
      await isComplete();
      expect(await page.locator('article img').count()).toBe(0);
    }
    await pressMore(page, 'Show images');
    await page.locator('article img').first().waitFor({ state: 'attached' });
    await expect.poll(() => remote.toSorted()).toEqual(['/second.png', '/third.png']);
    expect(await page.locator('article img').first().getAttribute('referrerpolicy')).toBe('no-referrer');
    await page.getByRole('link', { name: 'Everything' }).click();
    await page.getByRole('link', { name: 'A conversation' }).click();
    await isComplete();
    await show(`/memory/${id}?images=show`);
    await isComplete();
    expect(await page.locator('article img').count()).toBe(0);
    expect(remote).toHaveLength(2);
    await app.browser.context.unrouteAll();
  });
});
