import { createServer, type RequestListener } from 'node:http';
import { browserPath } from '@recollect/browser';
import { type Core, LOCAL_USER, RecollectError } from '@recollect/core';
import { afterEach, describe, expect, test } from 'vitest';
import { type Extension, openExtension } from './open-extension.js';
import { conversationPage, turnText } from './sample-pages.js';

let extension: Extension;
const listed = async () => (await extension.server.core.memories.list(LOCAL_USER, { limit: 100 })).memories;
const article = (number: number) =>
  extension.show(
    `https://post.example/${number}`,
    `<article><h1>Piece ${number}</h1><p>${'What it says. '.repeat(20)}${number}</p></article>`,
  );

/** Starts another program at the server's address. */
async function startImpostor(port: number, answer: RequestListener): Promise<() => Promise<void>> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
}

describe.skipIf(browserPath === undefined)(
  'the extension and its server (needs Chromium: apt-get install chromium)',
  () => {
    afterEach(() => extension?.close());

    test('CAP-8: keeps, shows and exports captures made offline, and delivers each of them once', async () => {
      const many = process.env.LONG === '1' ? 10 : 2;
      extension = await openExtension();
      const { server } = extension;
      await server.stopListening();
      for (let number = 0; number < many; number++) {
        const popup = await extension.press(await article(number));
        await popup.until(`document.body.innerText.includes('Not reachable')`);
        await popup.press('Save');
        expect(await popup.status(/Kept/)).toMatch(/^Kept in this browser: Recollect does not answer/);
        await popup.until(`document.body.innerText.includes('${number + 1} capture')`);
        await popup.close();
      }
      const page = await article(many);
      const waiting = await extension.press(page);
      await waiting.until(`document.body.innerText.includes('${many} captures waiting')`);
      const exported = await waiting.evaluate<{ captures: { url: string }[] }>(`new Promise((resolve) => {
      const make = URL.createObjectURL;
      URL.createObjectURL = (blob) => { blob.text().then((text) => resolve(JSON.parse(text))); return make.call(URL, blob); };
      [...document.querySelectorAll('button')].find((button) => button.textContent === 'Export').click();
    })`);
      expect(exported.captures.map(({ url }) => url)).toEqual(
        Array.from({ length: many }, (_, number) => `https://post.example/${number}`),
      );
      await waiting.close();
      expect((await server.core.capture(LOCAL_USER, exported.captures.slice(0, 1))).answer.captures[0]?.status).toBe(
        'created',
      );

      const down = await startImpostor(server.port, (_, response) => response.writeHead(503).end());
      const refused = await extension.press(page);
      await refused.until(`document.body.innerText.includes('Not reachable')`);
      await refused.until(`document.body.innerText.includes('${many} captures waiting')`);
      await refused.close();
      await down();

      await server.listenAgain();
      // Two windows send at the same time.
      const twin = await extension.context.newPage();
      await twin.goto('chrome-extension://edcgnpkojmojcedaehhaancdlogpdfil/popup.html', { waitUntil: 'commit' });
      const popup = await extension.press(page);
      await popup.until(`document.body.innerText.includes('Connected') && document.querySelector('.outbox') === null`);
      const urls = (await listed()).map(({ url }) => url);
      expect(urls.sort()).toEqual(Array.from({ length: many }, (_, number) => `https://post.example/${number}`));
      const kept = await popup.evaluate<object>('chrome.storage.local.get(null)');
      expect(Object.keys(kept)).toEqual([]);
      await popup.close();
    });

    test('keeps a capture of several megabytes while offline, and sends it later', { tags: 'long' }, async () => {
      extension = await openExtension();
      await extension.server.stopListening();
      const text = 'A long page says one thing again and again, and it says it once more. '.repeat(30_000);
      const page = await extension.show('https://long.example/', `<pre>${text}</pre>`);
      const popup = await extension.press(page);
      await popup.press('Save');
      await popup.status(/Kept/, 60);
      await popup.close();
      await extension.server.listenAgain();
      const again = await extension.press(await article(1));
      await again.status(/sent to Recollect/, 60);
      const [memory] = await listed();
      expect((await extension.server.core.memories.get(LOCAL_USER, memory?.id ?? '')).text.length).toBeGreaterThan(
        2_000_000,
      );
    });

    test('SEC-5: asks for a key once under RECOLLECT_AUTH=required, and then sends the kept captures', async () => {
      extension = await openExtension({ policy: { auth: 'required' } });
      const { server } = extension;
      const { key } = await server.core.apiKeys.create(LOCAL_USER);
      const page = await article(1);
      const popup = await extension.press(page);
      await popup.until(`document.body.innerText.includes('Key needed')`);
      await popup.press('Save');
      expect(await popup.status(/Kept/)).toMatch(/requires an API key/);
      const enter = async (text: string) => {
        await popup.until(`document.querySelector('.key input')`);
        await popup.evaluate(
          `document.querySelector('.key input').select() ?? document.querySelector('.key input').focus()`,
        );
        await popup.type(text);
        await popup.key('Enter');
      };
      await enter('rec_wrong');
      await popup.until(`document.body.innerText.includes('That key is not valid')`);
      expect(await popup.evaluate(`chrome.storage.local.get('apiKey')`)).toEqual({});
      await enter(key);
      await popup.until(`document.body.innerText.includes('Connected')`);
      await popup.status(/1 waiting capture sent to Recollect/);
      expect((await listed()).length).toBe(1);
      expect(await popup.evaluate(`chrome.storage.local.get('apiKey')`)).toEqual({ apiKey: key });
      expect(await popup.evaluate('chrome.storage.sync.get(null)')).toEqual({});
      await popup.close();
      const again = await extension.press(page);
      await again.until(`document.body.innerText.includes('Saved ')`);
    });

    test('PPL-7: keeps a capture that a full quota refuses, and sends it once there is room', async () => {
      let isFull = true;
      extension = await openExtension({
        change: (core) => ({
          ...core,
          capture: (...call) =>
            isFull
              ? Promise.reject(new RecollectError('QUOTA_EXCEEDED', 'Your quota is 5 memories.'))
              : core.capture(...call),
        }),
      });
      const page = await article(1);
      const popup = await extension.press(page);
      await popup.press('Save');
      expect(await popup.status(/Kept/)).toMatch(/^Kept in this browser: Your quota is 5 memories\./);
      await popup.close();
      isFull = false;
      const again = await extension.press(await article(2));
      await again.status(/1 waiting capture sent to Recollect/);
      expect((await listed()).length).toBe(1);
      await again.close();
    });

    test('detects another program at the address, and sends it no capture', async () => {
      extension = await openExtension();
      await extension.server.stopListening();
      const asked: string[] = [];
      const other = await startImpostor(extension.server.port, (request, response) => {
        asked.push(`${request.method} ${request.url}`);
        response.setHeader('content-type', 'text/html').end('<h1>Another program</h1>');
      });
      const popup = await extension.press(await article(1));
      await popup.until(`document.body.innerText.includes('Wrong server')`);
      await popup.press('Save');
      expect(await popup.status(/Kept/)).toMatch(/is not Recollect/);
      expect(asked.filter((line) => !line.startsWith('GET /api/v1/extension/setup'))).toEqual([]);
      await other();
      await extension.server.listenAgain();
      await popup.press('Try again');
      await popup.status(/sent to Recollect/);
    });

    test('CAP-13: sends waiting captures first, so that a conversation arrives in order', {
      tags: 'long',
    }, async () => {
      extension = await openExtension();
      const { server } = extension;
      const url = 'https://chatgpt.com/c/order';
      await server.stopListening();
      const early = await extension.press(await extension.show(url, conversationPage(4)));
      await early.press('Save conversation');
      await early.status(/Kept/);
      await early.close();
      await server.listenAgain();
      const late = await extension.press(await extension.show(url, conversationPage(6)));
      await late.press('Save conversation');
      await late.status(/its new turns were added|already/);
      expect((await listed()).length).toBe(1);
      await late.close();

      // This tab will keep the service worker from sending. If it were opened later, the popup would close.
      const holder = await extension.context.newPage();
      await holder.goto('chrome-extension://edcgnpkojmojcedaehhaancdlogpdfil/popup.html', { waitUntil: 'load' });
      // A window that closes while an answer is being written keeps the complete turns and what was typed.
      const page = await extension.show('https://chatgpt.com/c/closing', conversationPage(4, { isStreaming: true }));
      const closing = await extension.press(page);
      await closing.until(`document.body.innerText.includes('Save conversation')`);
      await closing.focus('.fields input');
      await closing.type('lamps');
      await closing.press('Save conversation');
      await closing.status(/Waiting until the answer is written/);
      await closing.until(`document.body.innerText.includes('3 turns')`);
      // The service worker removes the draft when it has sent the capture, perhaps before the next window reads it.
      await holder.evaluate(
        () =>
          new Promise<void>((hold) => {
            void navigator.locks.request('outbox', () => {
              hold();
              return new Promise<void>((release) => Object.assign(globalThis, { release }));
            });
          }),
      );
      await closing.close();
      const again = await extension.press(page);
      await again.until(`document.querySelector('.fields input')?.value === 'lamps'`);
      await holder.evaluate('release()');
      // This window sends it, or the service worker, which does so as soon as the other one is closed.
      await expect
        .poll(async () => (await listed())[0])
        .toMatchObject({
          url: 'https://chatgpt.com/c/closing',
          tags: ['lamps'],
        });
    });

    test('CAP-8, CAP-13: keeps every turn of a conversation that grows while another window sends it', {
      tags: 'long',
    }, async () => {
      extension = await openExtension();
      const { server } = extension;
      const { core } = server;
      await server.stopListening();
      const other = await extension.context.newPage();
      await other.goto('chrome-extension://edcgnpkojmojcedaehhaancdlogpdfil/popup.html', { waitUntil: 'load' });
      await other.getByText('Not reachable').waitFor();

      // Stands in for the server, and holds its responses to captures until they are released.
      const sent: { key: string; turns: number }[] = [];
      const held = Promise.withResolvers<void>();
      const slow = await startImpostor(server.port, async (request, response) => {
        let body = '';
        for await (const part of request) body += part;
        response.setHeader('content-type', 'application/json');
        if (request.url?.endsWith('/setup')) {
          response.end(JSON.stringify({ ok: true, product: { name: 'Recollect' }, auth: { mode: 'optional' } }));
        } else if (request.url === '/api/v1/capture') {
          const { capture } = JSON.parse(body);
          const key = String(request.headers['idempotency-key']);
          sent.push({ key, turns: capture.messages.length });
          const saved = await core.capture(LOCAL_USER, [capture], { idempotencyKey: key });
          await held.promise;
          response.end(JSON.stringify(saved.answer));
        } else response.end('{"found":[]}');
      });
      const page = await extension.show('https://chatgpt.com/c/grows', conversationPage(4, { isStreaming: true }));
      const popup = await extension.press(page);
      await popup.press('Save conversation');
      await popup.status(/Waiting until the answer is written/);
      await other.getByRole('button', { name: 'Try again' }).click();
      await expect.poll(() => sent.length).toBe(1);
      await page.evaluate(() => document.querySelector('[data-testid=stop-button]')?.remove());
      await popup.status(/Sending/);
      held.resolve();
      await popup.status(/turns were added|Saved/);
      expect(sent.map(({ turns }) => turns)).toEqual([3, 4]);
      expect(sent[0]?.key).not.toBe(sent[1]?.key);
      const [memory, ...more] = await listed();
      expect(more).toEqual([]);
      expect((await core.memories.get(LOCAL_USER, memory?.id ?? '')).text).toContain(turnText(3));
      expect(Object.keys(await popup.evaluate<object>('chrome.storage.local.get(null)'))).toEqual([]);
      await slow();
      await server.listenAgain();
    });

    test('handles a proxy whose own pages report that the server is down or a capture is too large', {
      tags: 'long',
    }, async () => {
      extension = await openExtension();
      const { server } = extension;
      await server.stopListening();
      const page = await article(1);
      const first = await extension.press(page);
      await first.press('Save');
      await first.status(/Kept/);
      await first.close();
      const second = await extension.press(await article(2));
      await second.press('Save');
      await second.status(/Kept/);
      await second.close();
      let status = 502;
      const proxy = await startImpostor(server.port, async (request, response) => {
        let body = '';
        for await (const part of request) body += part;
        const isCapture = request.url === '/api/v1/capture';
        response.setHeader('content-type', 'text/html');
        if (status === 502 || (isCapture && body.includes('/1"'))) response.writeHead(status).end('<h1>Sorry</h1>');
        else if (isCapture) response.end(JSON.stringify({ imported: {}, captures: [{ id: 'x', status: 'created' }] }));
        else if (request.url?.endsWith('/setup')) {
          response.end(JSON.stringify({ ok: true, product: { name: 'Recollect' }, auth: { mode: 'optional' } }));
        } else response.end('{"found":[]}');
      });
      const off = await extension.press(page);
      await off.until(`document.body.innerText.includes('Not reachable')`);
      await off.close();
      status = 413;
      const through = await extension.press(page);
      await through.status(/1 waiting capture sent to Recollect/);
      await through.until(`document.body.innerText.includes('too large for the server or the proxy in front of it')`);
      await proxy();
    });

    test('REL-4: keeps a capture, with the reason, while the store is full, and sends it later', {
      tags: 'long',
    }, async () => {
      let isFull = true;
      const change = (core: Core): Core => ({
        ...core,
        capture: async (...given) => {
          if (isFull) throw new RecollectError('STORE_FULL', 'The disk that holds the store is full.');
          return core.capture(...given);
        },
      });
      extension = await openExtension({ change });
      const page = await article(1);
      const popup = await extension.press(page);
      await popup.press('Save');
      expect(await popup.status(/Kept/)).toBe(
        'Kept in this browser: The disk that holds the store is full. It will be sent when you open this window again.',
      );
      expect(await popup.evaluate('document.body.innerText')).toContain('Connected');
      await popup.close();
      isFull = false;
      const again = await extension.press(page);
      await again.status(/1 waiting capture sent to Recollect/);
      expect((await listed()).length).toBe(1);
    });

    test('keeps a refused capture, with the reason, until it is discarded', { tags: 'long' }, async () => {
      extension = await openExtension();
      const popup = await extension.press(await article(1));
      await popup.until(`document.body.innerText.includes('Connected')`);
      // As an older version of the extension may have left it. This window must not send it, so what it sends comes
      // first.
      await popup.evaluate(
        `navigator.locks.request('outbox', () => chrome.storage.local.set({ 'outbox:x': { id: 'x', title: 'Old <b>piece</b>', at: '2026-01-01T00:00:00Z', refusal: null, capture: { title: 'x' } } }))`,
      );
      await popup.close();
      const again = await extension.press(await article(2));
      await again.until(`document.body.innerText.includes('There is nothing to save')`);
      expect(await again.evaluate(`document.querySelector('.refused b').textContent`)).toBe('Old <b>piece</b>');
      await again.status(/1 waiting capture refused\. The reasons are below/);
      // It is sent again when the user asks for it, since the reason may be gone.
      await again.evaluate(`chrome.storage.local.get('outbox:x').then(({ 'outbox:x': entry }) =>
        chrome.storage.local.set({ 'outbox:x': { ...entry, capture: { title: 'x', pageText: 'Mended.' } } }))`);
      await again.press('Send now');
      await again.status(/1 waiting capture sent to Recollect/);
      await again.until(`document.querySelector('.outbox') === null`);
      expect(await listed()).toMatchObject([{ title: 'x' }]);
      await extension.server.client('deleteMemory', { parameters: { id: (await listed())[0]?.id ?? '' } });
      await again.evaluate(
        `chrome.storage.local.set({ 'outbox:y': { id: 'y', title: 'Another', at: '2026-01-01T00:00:00Z', refusal: 'No.', capture: { title: 'y' } } })`,
      );
      await again.close();
      const last = await extension.press(await article(3));
      await last.until(`document.querySelector('.refused b')?.textContent === 'Another'`);
      await last.press('Discard');
      await last.press('Discard for good');
      await last.until(`document.querySelector('.outbox') === null`);
      expect(await listed()).toEqual([]);
    });
  },
);
