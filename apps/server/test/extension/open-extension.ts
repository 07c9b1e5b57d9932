import { rmSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBrowser } from '@recollect/browser';
import { extensionOrigin } from '@recollect/contract';
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

/** Chromium with the extension for a base URL, which the tests of this process share one after the other. */
interface Loaded {
  port: number;
  /** Of the deployment; undefined if it has none. */
  publicUrl: string | undefined;
  hasPageAccess: boolean;
  context: BrowserContext;
  /** The only pages that exist, so that nothing leaves the machine. */
  pages: Map<string, { html: string; headers: Record<string, string> }>;
}

let loaded: Loaded | undefined;

/**
 * Below the ports that systems hand out, so that no other test has it while the server of a test is replaced by the
 * next.
 */
export const PORT = 20_000 + (process.pid % 10_000);

export async function openExtension({
  hasPageAccess = false,
  ...options
}: NonNullable<Parameters<typeof startTestServer>[0]> & {
  /** Whether its manifest has the permission for all pages, since no test can answer Chromium's question. */
  hasPageAccess?: boolean;
} = {}): Promise<Extension> {
  const server = await startTestServer({ ...options, port: loaded?.port ?? PORT });
  const publicUrl = options.policy?.publicUrl?.href;
  if (loaded !== undefined && (loaded.publicUrl !== publicUrl || loaded.hasPageAccess !== hasPageAccess)) {
    await loaded.context.close();
    loaded = undefined;
  }
  loaded ??= await load(server, publicUrl, hasPageAccess);
  const { context, pages } = loaded;
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
      await clear(context);
      pages.clear();
      await server.close();
    },
  };
}

async function load(server: TestServer, publicUrl: string | undefined, hasPageAccess: boolean): Promise<Loaded> {
  const archive = await fetch(`${server.address}/api/v1/extension/package`);
  const folder = await mkdtemp(join(tmpdir(), 'recollect-extension-'));
  for (const [name, content] of Object.entries(unzipSync(new Uint8Array(await archive.arrayBuffer())))) {
    await writeFile(join(folder, name), content);
  }
  if (hasPageAccess) {
    const file = join(folder, 'manifest.json');
    const { optional_host_permissions, ...manifest } = JSON.parse(await readFile(file, 'utf8'));
    const host_permissions = [...manifest.host_permissions, ...optional_host_permissions];
    await writeFile(file, JSON.stringify({ ...manifest, host_permissions, optional_host_permissions }));
  }
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const { context } = await openBrowser({ extensions: [folder] });
  const pages: Loaded['pages'] = new Map();
  await context.route(/^https?:\/\/(?!127\.0\.0\.1)/, (route) => {
    const found = pages.get(route.request().url().replace(/#.*$/, ''));
    if (found === undefined || !route.request().isNavigationRequest()) return route.abort();
    return route.fulfill({ contentType: 'text/html; charset=utf-8', body: found.html, headers: found.headers });
  });
  return { port: server.port, publicUrl, hasPageAccess, context, pages };
}

/** Closes all tabs, and forgets what the extension and the pages have kept. */
async function clear(context: BrowserContext): Promise<void> {
  const before = context.pages();
  const page = await context.newPage();
  for (const one of before) await one.close();
  await page.goto(`${extensionOrigin}/manifest.json`);
  await page.evaluate("Promise.all(['local', 'sync', 'session'].map((area) => chrome.storage[area].clear()))");
  await context.clearCookies();
}
