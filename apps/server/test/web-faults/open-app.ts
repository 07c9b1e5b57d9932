import { type Browser, openContext } from '@recollect/browser';
import { type Core, LOCAL_USER } from '@recollect/core';
import type { Page } from 'playwright-core';
import { keepOutcomes } from '../keep-outcomes.js';
import { startTestServer, type TestServer } from '../start-test-server.js';

type Captures = Parameters<Core['capture']>[1];

export interface OpenApp {
  server: TestServer;
  browser: Browser;
  /** Opens a page of the app in a new tab, and watches it. */
  open(path: string): Promise<WatchedPage>;
  /** Saves memories and returns their ids. */
  save(...captures: Captures): Promise<string[]>;
  close(): Promise<void>;
}

export interface WatchedPage {
  page: Page;
  /** Faults of the page: errors of scripts, violations of the policy, and requests to other origins. */
  faults: string[];
}

/** The web app in Chromium, over a server with a store. */
export async function openApp(options: Parameters<typeof startTestServer>[0] = {}): Promise<OpenApp> {
  const [server, browser] = await Promise.all([startTestServer(options), openContext()]);
  return {
    server,
    browser,
    open: (path) => openPage(browser, server.address, path),
    async save(...captures) {
      const { answer } = await server.core.capture(LOCAL_USER, captures);
      return answer.captures.map(({ id }) => id);
    },
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

/** Opens an address in a new tab, and watches it. */
export async function openPage(browser: Browser, origin: string, path: string): Promise<WatchedPage> {
  const page = await browser.context.newPage();
  await page.addInitScript(keepOutcomes);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(`${origin}/`))
      faults.push(`request: ${request.url()}`);
  });
  page.on('popup', (popup) => faults.push(`window: ${popup.url()}`));
  page.on('console', (message) => {
    if (/Content.Security.Policy|TrustedHTML|TrustedScript/i.test(message.text())) faults.push(message.text());
  });
  await page.goto(origin + path);
  return { page, faults };
}
