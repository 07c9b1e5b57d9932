import { browserPath } from '@recollect/browser';
import { LOCAL_USER } from '@recollect/core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenApp, openApp } from './open-app.js';

const LONG = 'W'.repeat(500);
const WIDTHS = [320, 768, 1440];

/** Runs in the page: elements that are wider than the window, cut off, or on top of each other. */
function problemsOf(): string[] {
  const found: string[] = [];
  const root = document.documentElement;
  const name = (element: Element) =>
    `${element.tagName} ${element.className} ${element.textContent?.trim().slice(0, 40)}`;
  if (root.scrollWidth > innerWidth) {
    const wide = Array.from(document.querySelectorAll('body *')).findLast((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      return width > 0 && (left < 0 || right > innerWidth) && element.closest('pre, .table, .hidden') === null;
    });
    found.push(`the page is ${root.scrollWidth} px wide in ${innerWidth}: ${wide === undefined ? '' : name(wide)}`);
  }
  for (const element of document.querySelectorAll<HTMLElement>(
    'a, button, input, textarea, select, h1, h2, h3, p, dt, dd, label',
  )) {
    if (
      !element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ||
      element.closest('.hidden, .skip-link, [inert]')
    )
      continue;
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) continue;
    // Elements that scroll may be wider.
    const scroller = element.closest('pre, .table, .shelf ul');
    if (scroller !== null) continue;
    if (box.left < -1 || box.right > innerWidth + 1) found.push(`outside: ${name(element)} ${box.left}–${box.right}`);
    const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(element);
    const mayClip = textOverflow === 'ellipsis' || webkitLineClamp !== 'none';
    const isCut =
      !element.matches('input') && /hidden|clip/.test(overflowX) && element.scrollWidth > element.clientWidth + 1;
    if (isCut && !mayClip && element.querySelector('bdi') === null) found.push(`cut off: ${name(element)}`);
  }
  return found;
}

describe.skipIf(browserPath === undefined)('layout (needs Chromium: apt-get install chromium)', () => {
  let app: OpenApp;
  let page: Page;
  let pages: Record<string, string> = {};

  const show = async (path: string) => {
    await page.goto(app.server.address + path);
    await page.locator('h1').first().waitFor({ state: 'attached' });
    if (path.startsWith('/memory/') && path !== pages.Gone) await page.locator('article[aria-busy="false"]').waitFor();
    if (path === '/settings/plugins')
      await page.getByRole('list', { name: 'Available plugins' }).waitFor({ state: 'attached' });
  };

  beforeAll(async () => {
    app = await openApp();
    const [id = '', talkId = '', trashedId = ''] = await app.save(
      {
        title: `A long word: ${LONG}`,
        url: `https://${'sub-domain.'.repeat(15)}example/${LONG}`,
        pageText: `${LONG}\n\n| a | b |\n|---|---|\n| ${LONG} | c |\n\n\`\`\`\n${LONG}\n\`\`\`\n\n> quote\n\n- item ${LONG}\n\n1. one`,
        tags: ['w'.repeat(100), 'tea', 'a tag with several words'],
        metadata: { author: LONG, published: '2026-01-31', language: 'en' },
      },
      {
        title: 'دليل الشاي الأخضر',
        messages: [
          { role: 'user', text: 'كيف أحضر الشاي؟' },
          { role: 'assistant', text: LONG },
        ],
      },
      { title: `Gone ${LONG}`, pageText: 'What goes to the trash.' },
      ...Array.from({ length: 30 }, (_, at) => ({
        title: `Note ${at}`,
        pageText: `Tea number ${at}.`,
        tags: [`tag ${at}`],
      })),
    );
    await app.server.core.memories.remove(LOCAL_USER, trashedId);
    await app.server.core.memories.update(LOCAL_USER, id, { note: LONG });
    await app.server.client('createHighlight', {
      parameters: { id },
      body: { quote: LONG, prefix: '', suffix: '', note: LONG },
    });
    pages = {
      Home: '/',
      Everything: '/everything',
      Search: '/?q=tea',
      Reader: `/memory/${id}`,
      Conversation: `/memory/${talkId}`,
      Gone: `/memory/${trashedId}`,
      Highlights: '/highlights',
      Tags: '/tags',
      Trash: '/trash',
      Settings: '/settings',
      Connect: '/settings/connect',
      Plugins: '/settings/plugins',
      Privacy: '/settings/privacy',
    };
    ({ page } = await app.open('/everything'));
  });
  afterAll(() => app?.close());

  test.each([
    'Home',
    'Everything',
    'Search',
    'Reader',
    'Conversation',
    'Gone',
    'Highlights',
    'Tags',
    'Trash',
    'Settings',
    'Connect',
    'Plugins',
    'Privacy',
  ])('%s: nothing is cut off and nothing scrolls sideways, at any width, size of text and direction', async (name) => {
    await show(pages[name] ?? '');
    const problems: Record<string, string[]> = {};
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      for (const [direction, size] of [
        ['ltr', 100],
        ['ltr', 200],
        ['rtl', 100],
        ['rtl', 200],
      ] as const) {
        await page.evaluate(
          ([dir, percent]) => {
            document.documentElement.dir = dir as string;
            document.documentElement.style.fontSize = `${percent}%`;
            return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
          },
          [direction, size],
        );
        const found = await page.evaluate(problemsOf);
        if (found.length > 0) problems[`${width} px, ${size} %, ${direction}`] = found.slice(0, 5);
      }
    }
    expect(problems).toEqual({});
  });

  test('a touch on the icon of a memory selects it, and the boxes of a selection are large enough targets', async () => {
    const session = await app.browser.context.newCDPSession(page);
    await page.setViewportSize({ width: 320, height: 700 });
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    await session.send('Emulation.setEmulatedMedia', {
      features: [
        { name: 'hover', value: 'none' },
        { name: 'pointer', value: 'coarse' },
      ],
    });
    await show('/everything');
    const box = page.getByRole('list', { name: 'Memories' }).getByRole('checkbox').first();
    await box.click();
    await page.getByText('1 memory selected').waitFor();
    await expect.poll(() => box.evaluate((element) => getComputedStyle(element).opacity)).toBe('1');
    expect(await page.evaluate(problemsOf)).toEqual([]);
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: false });
    await session.send('Emulation.setEmulatedMedia', { features: [] });
  });

  test('forced colours keep borders and the selection, reduced motion moves nothing, and printing shows only the text', async () => {
    await page.setViewportSize({ width: 1024, height: 800 });
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce', colorScheme: 'dark' });
    await show('/?q=tea');
    const current = page.getByRole('link', { name: 'Everything' });
    expect(await current.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid');
    const moving = await page.evaluate(() => document.getAnimations().length);
    expect(moving).toBe(0);
    await page.emulateMedia({ forcedColors: 'none' });
    await show(pages.Reader ?? '');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    for (const shell of ['.head', '.navigation', '.reader-bar', '.history', '.outcome'])
      expect(await page.locator(shell).isVisible(), shell).toBe(false);
    expect(await page.getByRole('article').isVisible()).toBe(true);
    expect(await page.getByRole('textbox', { name: 'Note' }).isVisible()).toBe(true);
    const [text, back] = await page.evaluate(() => {
      const { color, backgroundColor } = getComputedStyle(document.documentElement);
      return [color, backgroundColor];
    });
    expect([text, back]).toEqual(['rgb(29, 28, 26)', 'rgb(255, 255, 255)']);
    await page.emulateMedia({ media: null, forcedColors: null, reducedMotion: null, colorScheme: null });
  });
});
