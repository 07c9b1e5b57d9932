import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { browserPath } from '@recollect/browser';
import { LOCAL_USER } from '@recollect/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Extension, openExtension } from './open-extension.js';
import { ARTICLE, conversationPage, turnText } from './sample-pages.js';

const LAMPS = new URL('../../../../packages/extraction/test/fixtures/pdf/lamps.pdf', import.meta.url);

let extension: Extension;
const memories = () => extension.server.core.memories;
const newest = async () => {
  const { memories: listed } = await memories().list(LOCAL_USER, { limit: 1 });
  return memories().get(LOCAL_USER, listed[0]?.id ?? '');
};
const count = async () => (await memories().list(LOCAL_USER, { limit: 100 })).memories.length;

const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj
trailer<</Root 1 0 R>>`;

describe.skipIf(browserPath === undefined)(
  'the served extension in Chromium (needs Chromium: apt-get install chromium)',
  () => {
    beforeAll(async () => {
      extension = await openExtension();
    });
    afterAll(() => extension?.close());

    test('EXT-4: saves an article with metadata, tags and note, without navigation and ads, then shows it as saved', async () => {
      const page = await extension.show('https://post.example/lamps?utm_source=mail', ARTICLE, {
        'content-security-policy': "default-src 'none'; script-src 'none'; sandbox",
      });
      const popup = await extension.press(page);
      await popup.until(`document.querySelector('textarea.title')?.value === 'The lamps of Harrow Street'`);
      expect(await popup.evaluate('document.body.innerText')).toContain('For ninety years the gas lamps');
      await popup.focus('.fields input');
      await popup.type('city, #light');
      await popup.focus('.fields textarea');
      const lines = Array.from({ length: 12 }, (_, at) => `line ${at}`).join('\n');
      await popup.type(lines);
      // A long note can be read without scrolling inside its field.
      const isWhole = '(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight)';
      expect(await popup.evaluate(`${isWhole}(document.querySelector('.fields textarea'))`)).toBe(true);
      await popup.evaluate(`document.querySelector('.fields textarea').select()`);
      await popup.type('for the walk');
      await popup.press('Save');
      expect(await popup.status(/saved/)).toMatch(/^Page saved, \d+ words\.$/);
      const memory = await newest();
      expect(memory).toMatchObject({
        title: 'The lamps of Harrow Street',
        url: 'https://post.example/lamps?utm_source=mail',
        sourceType: 'url',
        sourceApp: 'web',
        captureMode: 'page',
        tags: ['city', 'light'],
        note: 'for the walk',
        metadata: {
          extensionVersion: '0.1.0',
          language: 'en',
          author: 'Ada Quill',
          siteName: 'The Evening Post',
          canonicalUrl: 'https://post.example/lamps',
          extractor: 'defuddle',
        },
      });
      expect(memory.text).toContain('## What comes instead');
      expect(memory.text).toContain('```js\nlamps.forEach((lamp) => lamp.warm(2200));\n```');
      expect(memory.text).toContain('burns on Sundays');
      expect(memory.text).not.toMatch(/Subscribe|Advertisement|recipes|Copyright|Cookie/);
      const opened = extension.context.waitForEvent('page');
      const link = `[...document.querySelectorAll('a')].find((one) => one.textContent === 'Open')`;
      // The window closes before it can respond.
      await popup.evaluate(`${link}.click()`).catch(() => {});
      await (await opened).waitForURL(`${extension.server.address}/memory/${memory.id}`);
      await (await opened).close();

      const again = await extension.press(page);
      await again.until(`document.body.innerText.includes('Saved ')`);
      await again.press('Save');
      expect(await again.status(/already/)).toMatch(/^Page is already in your memory since /);
      expect(await count()).toBe(1);
      await again.close();

      // The command line sends the HTML of the same page.
      const body = { url: 'https://post.example/lamps', html: ARTICLE };
      const { captures } = await extension.server.client('capture', { body });
      expect(captures).toMatchObject([{ id: memory.id, status: 'duplicate' }]);
      await extension.server.client('changeMemories', { body: { ids: [memory.id], delete: true } });
      await extension.server.client('capture', { body });
      expect((await newest()).text).toBe(memory.text);
      await extension.server.client('changeMemories', { body: { site: 'post.example', delete: true } });
      await extension.server.client('restoreMemory', { parameters: { id: memory.id } });
    });

    test('EXT-4, CAP-7, SYS-9: saves the title that the user typed, completes tags, and shows what the server did not know', async () => {
      const page = await extension.show('https://post.example/titled', ARTICLE.replace('ninety years', '91 years'));
      await extension.server.core.capture(LOCAL_USER, [{ pageText: 'Other', tags: ['City walks', 'citrus', 'Light'] }]);
      const popup = await extension.press(page);
      const offered = `[...document.querySelectorAll('.tags [role=option]')].map((tag) => tag.textContent).join()`;
      await popup.focus('.fields input');
      await popup.type('light, CIT');
      await popup.until(`${offered}.includes('City walks')`);
      await popup.key('ArrowDown');
      await popup.until(`document.querySelector('.tags [aria-selected=true]')`);
      const first = await popup.evaluate<string>(`document.querySelector('.tags [aria-selected=true]').textContent`);
      await popup.key('Tab');
      const chips = `[...document.querySelectorAll('.tag-chips li')].map((tag) => tag.textContent).join()`;
      await popup.until(`${chips} === 'light,${first}'`);
      expect(await popup.evaluate(`document.querySelector('.fields input').value`)).toBe('');
      await popup.focus('textarea.title');
      await popup.evaluate(`document.querySelector('textarea.title').select()`);
      await popup.type('Gas lamps');
      await popup.key('Enter');
      await popup.status(/saved/);
      const { id, title, tags } = await newest();
      expect([title, [...tags].sort()]).toEqual(['Gas lamps', [first, 'light'].sort()]);
      await popup.close();

      const again = await extension.press(page);
      await again.until(`document.body.innerText.includes('Saved ')`);
      await again.evaluate(`document.querySelector('textarea.title').select()`);
      await again.focus('textarea.title');
      await again.type('Lamps of gas');
      // A field from a version of the extension that the server does not know yet.
      await again.evaluate(`{
        const stringify = JSON.stringify;
        JSON.stringify = (value) =>
          stringify(value?.capture === undefined ? value : { capture: { ...value.capture, mood: 'calm' } });
      }`);
      await again.press('Save');
      expect(await again.status(/already/)).toMatch(
        / It has the new title\. The field \/capture\/mood is unknown and was ignored\.$/,
      );
      expect((await memories().get(LOCAL_USER, id)).title).toBe('Lamps of gas');
      await again.close();
      await memories().remove(LOCAL_USER, id);
    });

    test('a result of the search hides what was saved before, and a note opens in full', { tags: 'long' }, async () => {
      const { answer } = await extension.server.core.capture(LOCAL_USER, [
        { pageText: `Zeppelin: ${'a long note about airships. '.repeat(40)}` },
      ]);
      const page = await extension.show('https://post.example/hidden-status', ARTICLE.replace('ninety', '92'));
      const popup = await extension.press(page);
      await popup.press('Save');
      await popup.status(/saved/);
      await popup.focus('input[type=search]');
      await popup.type('zeppelin airships');
      await popup.until(`document.querySelectorAll('[role=option]').length > 0`);
      expect(await popup.evaluate(`document.querySelector('[role=status]').checkVisibility()`)).toBe(false);
      await popup.key('ArrowDown');
      const opened = page.context().waitForEvent('page');
      await popup.key('Enter');
      const tab = await opened;
      await tab.waitForURL(`${extension.server.address}/memory/${answer.captures[0]?.id}`);
      await tab.getByText('a long note about airships').first().waitFor();
      await tab.close();
      const { memories: saved } = await memories().list(LOCAL_USER, { limit: 2 });
      for (const { id } of saved) await memories().remove(LOCAL_USER, id);
    });

    test('saves the selection in smart mode, or the page if the user chooses it', async () => {
      const page = await extension.show('https://post.example/selected', ARTICLE);
      await page.evaluate(() =>
        getSelection()?.selectAllChildren(document.querySelector('blockquote') ?? document.body),
      );
      const popup = await extension.press(page);
      await popup.press('Save selection');
      await popup.status(/Selection saved/);
      expect(await newest()).toMatchObject({ captureMode: 'selection', metadata: { extractor: 'selection' } });
      expect((await newest()).text).toBe(
        'One hears the difference before one sees it, says the lamplighter: the hiss is gone.',
      );
      await popup.evaluate(
        `[...document.querySelectorAll('.modes label')].find((label) => label.textContent === 'Page').click()`,
      );
      await popup.press('Save page');
      await popup.status(/Page saved/);
      expect(await newest()).toMatchObject({ captureMode: 'page' });
      await popup.close();
    });

    test('CAP-13: saves a conversation of 60 turns, then of 64, as one memory with every turn once', {
      tags: 'long',
    }, async () => {
      const url = 'https://chatgpt.com/c/lamps';
      const first = await extension.press(await extension.show(url, conversationPage(60)));
      await first.press('Save conversation');
      expect(await first.status(/saved/)).toBe('Conversation saved, 60 turns.');
      await first.close();
      const before = await newest();
      expect(before).toMatchObject({
        sourceType: 'chatgpt',
        sourceApp: 'chatgpt',
        captureMode: 'conversation',
        title: 'Lamps and light',
      });
      const second = await extension.press(await extension.show(url, conversationPage(64)));
      await second.press('Save conversation');
      expect(await second.status(/saved/)).toBe('Conversation saved: its new turns were added.');
      await second.close();
      const after = await memories().get(LOCAL_USER, before.id);
      for (let turn = 0; turn < 64; turn++) {
        expect(after.text.split(turnText(turn)).length, `turn ${turn}`).toBe(2);
      }
      expect(after.text).toContain('assistant: This is turn 63');
      expect(after.text).toContain('```js\nturn(63)\n```');
      expect(after.metadata).toMatchObject({ turns: 64 });
    });

    test('waits for an answer that is being written', async () => {
      const note = `document.querySelector('textarea[placeholder="why it matters"]')`;
      const page = await extension.show('https://chatgpt.com/c/streaming', conversationPage(4, { isStreaming: true }));
      const popup = await extension.press(page);
      await popup.until(`document.body.innerText.includes('The last answer is still being written')`);
      await popup.press('Save conversation');
      await popup.status(/Waiting/);
      await popup.evaluate(`${note}.focus()`);
      await popup.type('typed meanwhile');
      await page.evaluate(() => {
        document.querySelector('article:last-of-type .markdown p')?.append(' And this is its end.');
        document.querySelector('[data-testid="stop-button"]')?.remove();
      });
      // A capture of a window that was closed before may still be in transit, and then has the complete turns.
      expect(await popup.status(/saved/)).toMatch(/^Conversation saved(?:, 4 turns|: its new turns were added)\.$/);
      expect(await newest()).toMatchObject({ text: expect.stringContaining('And this is its end.'), note: null });
      expect(await popup.evaluate(`${note}.value`)).toBe('typed meanwhile');
      // Presses again as soon as the result is shown, before anything that takes a task of the browser.
      await popup.evaluate(`{
        const line = document.querySelector('[role=status]');
        const seen = new MutationObserver(async () => {
          if (!/It has the new note/.test(line.textContent)) return;
          seen.disconnect();
          for (let microtask = 0; microtask < 50; microtask++) await null;
          document.querySelector('button.save').click();
        });
        seen.observe(line, { subtree: true, childList: true, characterData: true });
      }`);
      await popup.press('Save conversation');
      await popup.status(/already in your memory[^.]*\.$/);
      expect((await newest()).note).toBe('typed meanwhile');
      await popup.until(`${note}.value === ''`);
      await popup.close();
    });

    test('quick search: searches while typing, marks matches, and opens the page at the text with the keyboard', async () => {
      const popup = await extension.press(await extension.show('https://post.example/other', '<p>Another page'));
      await popup.focus('[type=search]');
      await popup.type('lamplighter ladder');
      await popup.until(
        `[...document.querySelectorAll('[role=option]')].some((hit) => hit.innerText.includes('The lamps of Harrow Street') && /now|ago/.test(hit.innerText))`,
      );
      expect(
        await popup.evaluate(`[...document.querySelectorAll('mark')].map((mark) => mark.textContent.toLowerCase())`),
      ).toContain('lamplighter');
      const opened = extension.context.waitForEvent('page');
      await popup.key('ArrowDown');
      await popup.until(`document.querySelector('[role=option]').getAttribute('aria-selected') === 'true'`);
      await popup.key('Enter');
      const page = await opened;
      await page.waitForURL(/post\.example/);
      expect(page.url()).toMatch(/^https:\/\/post\.example\/(lamps|selected)/);
    });

    test('QRY-13, QRY-14: shows how a query was understood, and searches as typed if the user prefers', {
      tags: 'long',
    }, async () => {
      const popup = await extension.press(await extension.show('https://post.example/understood', '<p>Another page'));
      const understood = `[...document.querySelectorAll('.taken-as')].map((line) => line.innerText).join(' | ')`;
      await popup.focus('[type=search]');
      await popup.type('lampligter ladder today');
      await popup.until(`${understood}.includes('Showing results for lamplighter')`);
      expect(await popup.evaluate(understood)).toMatch(/ \| Saved .* Search any time$/);
      await popup.press('Search any time');
      await popup.until(`${understood} === ''`);
      expect(await popup.evaluate(`document.querySelector('[type=search]').value`)).toBe('lamplighter ladder today');
      expect(await popup.evaluate(`document.activeElement === document.querySelector('[type=search]')`)).toBe(true);
      await popup.evaluate(`document.querySelector('[type=search]').select()`);
      await popup.type('lampligter');
      await popup.press('Search for lampligter');
      await popup.until(`${understood} === ''`);
      await popup.evaluate(`document.querySelector('[type=search]').select()`);
      await popup.type('lamplighter after:');
      await popup.until(`${understood}.includes('after:')`);
      await popup.close();
    });

    const statusOn = async (url: string, html?: string) => {
      const page = html === undefined ? await extension.context.newPage() : await extension.show(url, html);
      if (html === undefined) await page.goto(url);
      const popup = await extension.press(page);
      const text = await popup.status(/./);
      await popup.close();
      return text;
    };

    test('explains in one sentence why a page cannot be saved, and sends nothing', async () => {
      const before = await count();
      expect(await statusOn('chrome://version')).toMatch(/^Browser pages can’t be saved/);
      expect(await statusOn('about:blank')).toMatch(/^There is no page to save here/);
      expect(await statusOn('https://empty.example/', '<title>Empty</title>')).toBe(
        'There is no page to save here: this page has no text.',
      );
      expect(await count()).toBe(before);
    });

    test('CAP-15, EXT-4: saves the text of a PDF, and explains that one without a text and a picture cannot be saved', async () => {
      const files: Record<string, [type: string, content: string | Buffer]> = {
        '/lamps.pdf': ['application/pdf', await readFile(LAMPS)],
        '/empty.pdf': ['application/pdf', PDF],
        '/picture.svg': ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
      };
      const server = createServer((request, response) => {
        const [type, content] = files[request.url ?? ''] ?? ['text/plain', ''];
        response.writeHead(200, { 'content-type': type }).end(content);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      try {
        const popupOn = async (path: string) => {
          const page = await extension.context.newPage();
          await page.goto(address + path);
          return extension.press(page);
        };
        const popup = await popupOn('/lamps.pdf');
        await popup.until(`document.querySelector('.facts')?.textContent.includes('PDF, 60.8 kB')`);
        await popup.focus('.fields input');
        await popup.type('light');
        await popup.press('Save PDF');
        expect(await popup.status(/saved/)).toBe('PDF saved.');
        await popup.close();
        const { id, ...memory } = await newest();
        expect(memory).toMatchObject({
          title: 'Gas Lamps of Harrow Street',
          url: `${address}/lamps.pdf`,
          captureMode: 'page',
          tags: ['light'],
          text: expect.stringContaining('what came instead of them'),
        });
        await memories().remove(LOCAL_USER, id);
        const before = await count();
        const empty = await popupOn('/empty.pdf');
        await empty.press('Save PDF');
        await empty.status(/rejected this capture: The PDF (?:has no text|is damaged)/);
        await empty.press('Discard');
        await empty.press('Discard for good');
        await empty.until(`document.querySelector('.outbox') === null`);
        await empty.close();
        expect(await statusOn(`${address}/picture.svg`)).toMatch(/^There is no page to save here/);
        expect(await count()).toBe(before);
      } finally {
        server.close();
      }
    });

    test('popup.html loads without errors as an ordinary tab, reports that there is no page, and searches', async () => {
      const page = await extension.context.newPage();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
      await page.goto('chrome-extension://edcgnpkojmojcedaehhaancdlogpdfil/popup.html');
      await expect.poll(() => page.getByRole('status').textContent()).toMatch(/no page to save/);
      await page.getByRole('searchbox').fill('lamps of Harrow Street');
      await page.getByRole('searchbox').press('Enter');
      await page.getByText('The lamps of Harrow Street').first().waitFor();
      expect(errors).toEqual([]);
      await page.close();
    });

    test('CAP-22: shows the number of comments, and leaves them out where the user unticks their box', async () => {
      const lines = ['oil', 'wick', 'glass', 'brass', 'mirror', 'tower', 'stair', 'boat', 'flag'].map(
        (kind, at) =>
          `<p>In the year ${1900 + at * 7} a keeper wrote of the ${kind} that it lasted ${at + 2} winters, and that no storm could harm it as salt does.</p>`,
      );
      const comment = (name: string) =>
        `<div class="comment"><b class="author">${name}</b> <time datetime="2026-11-01">1 November</time><p>Said by ${name}.</p></div>`;
      const pageOf = (name: string) =>
        `<!doctype html><html lang="en"><title>${name}</title><meta property="og:type" content="article"><main><article><h1>${name}</h1>${lines.join('')}</article>
        <section id="comments"><h3>2 comments</h3>${['Ann', 'Bo'].map(comment).join('')}</section></main>`;
      const label = "document.querySelector('.comments')";
      const popup = await extension.press(await extension.show('https://lamps.example/a', pageOf('Lamps')));
      await popup.until(`${label}?.textContent === '2 comments'`);
      await popup.press('Save');
      expect(await popup.status(/saved/)).toMatch(/^Page saved/);
      const saved = await newest();
      expect(saved.comments.map(({ author, text }) => [author, text])).toEqual([
        ['Ann', 'Said by Ann.'],
        ['Bo', 'Said by Bo.'],
      ]);
      expect(saved.text).not.toContain('Said by');
      const next = await extension.press(await extension.show('https://lamps.example/b', pageOf('Dark lamps')));
      await next.until(`${label} !== null`);
      await next.evaluate(`${label}.querySelector('input').click()`);
      await next.until(`${label}.querySelector('input').checked === false`);
      await next.press('Save');
      expect(await next.status(/saved/)).toMatch(/^Page saved/);
      expect((await newest()).comments).toEqual([]);
    });

    test('EXT-7: saves all text of a page where the user chooses it, and remembers the choice for the site', async () => {
      const facts = 'Opening hours, prices and fares of the ferry, by day and month of the year. ';
      const menu = `<nav>${'<a href="/x">Timetable of the quay</a> '.repeat(60)}</nav>`;
      const pageOf = (name: string) =>
        `<!doctype html><title>${name}</title>${menu}<article><h1>${name}</h1><p>${facts.repeat(6)}</p></article>`;
      const choice = (name: string) => `document.querySelector('.scopes button[aria-label^="${name}"]')`;
      const popup = await extension.press(await extension.show('https://ferry.example/a', pageOf('The ferry')));
      await popup.until(`${choice('Article')}?.ariaPressed === 'true'`);
      await popup.evaluate(`${choice('Whole page')}.click()`);
      await popup.until(`${choice('Whole page')}.ariaPressed === 'true'`);
      await popup.press('Save');
      expect(await popup.status(/saved/)).toMatch(/^Page saved/);
      expect((await newest()).text).toMatch(/Timetable of the quay[\s\S]*Opening hours/);
      const next = await extension.press(await extension.show('https://ferry.example/b', pageOf('The quay')));
      await next.until(`${choice('Whole page')}?.ariaPressed === 'true'`);
      await next.evaluate(`${choice('Article')}.click()`);
      await next.until(`${choice('Article')}.ariaPressed === 'true'`);
      await next.press('Save');
      expect(await next.status(/saved/)).toMatch(/^Page saved/);
      expect((await newest()).text).not.toContain('Timetable');
    });
  },
);
