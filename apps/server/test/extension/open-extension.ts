import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBrowser } from '@recollect/browser';
import { unzipSync } from 'fflate';
import type { BrowserContext, Page } from 'playwright-core';
import { startTestServer, type TestServer } from '../start-test-server.js';
import { type Popup, pressButton } from './press-button.js';

/** Chromium with the extension as a running server serves it. */
export interface Extension {
  server: TestServer;
  context: BrowserContext;
  /** Opens a page with this HTML at an address, in its own tab. */
  show(url: string, html: string, headers?: Record<string, string>): Promise<Page>;
  /** Presses the toolbar button on the page. */
  press(page: Page): Promise<Popup>;
  close(): Promise<void>;
}

export async function openExtension(options: Parameters<typeof startTestServer>[0] = {}): Promise<Extension> {
  const server = await startTestServer(options);
  const archive = await fetch(`${server.address}/api/v1/extension/package`);
  const folder = await mkdtemp(join(tmpdir(), 'recollect-extension-'));
  await mkdir(folder, { recursive: true });
  for (const [name, content] of Object.entries(unzipSync(new Uint8Array(await archive.arrayBuffer())))) {
    await writeFile(join(folder, name), content);
  }
  const browser = await openBrowser({ extensions: [folder] });
  const { context } = browser;
  const pages = new Map<string, { html: string; headers: Record<string, string> }>();
  // Only pages passed to `show` exist, so that nothing leaves the machine.
  await context.route(/^https?:\/\/(?!127\.0\.0\.1)/, (route) => {
    const found = pages.get(route.request().url().replace(/#.*$/, ''));
    if (found === undefined || !route.request().isNavigationRequest()) return route.abort();
    return route.fulfill({ contentType: 'text/html; charset=utf-8', body: found.html, headers: found.headers });
  });
  return {
    server,
    context,
    async show(url, html, headers = {}) {
      pages.set(url, { html, headers });
      const page = await context.newPage();
      await page.goto(url, { waitUntil: 'load' });
      return page;
    },
    press: (page) => pressButton(context, page),
    async close() {
      await browser.close();
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}
