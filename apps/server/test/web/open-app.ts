import { browserPath, openContext } from '@recollect/browser';
import type { Capture } from '@recollect/contract';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest';
import { keepOutcomes } from '../keep-outcomes.js';
import { startTestServer, type TestServer } from '../start-test-server.js';

type ServerOptions = NonNullable<Parameters<typeof startTestServer>[0]>;

/** The web app in Chromium, over a server with its own store. */
export interface WebApp {
  server: TestServer;
  context: BrowserContext;
  /** The tab that all tests of a file share. */
  page: Page;
  /** Faults of the page since the last call: errors, refused content, and requests that left the origin. */
  problems(): string[];
  /** Opens an address of the app, and waits until its page is there. */
  open(address: string): Promise<void>;
  /** Saves memories through the interface, as another client does. Resolves to their ids. */
  save(...captures: Capture[]): Promise<string[]>;
  close(): Promise<void>;
}

/** Log lines for responses that are not a success, which some tests cause, and for the blocked service worker. */
const EXPECTED =
  /^error: Failed to load resource: the server responded with a status of 4\d\d|^warning: Service Worker registration blocked/;

export async function openApp(options: ServerOptions = {}): Promise<WebApp> {
  const server = await startTestServer(options);
  const browser = await openContext();
  const { context } = browser;
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.address });
  await context.addInitScript(keepOutcomes);
  const found: string[] = [];
  context.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${server.address}/`) && !/^(?:data|blob|about):/.test(url)) found.push(`request to ${url}`);
  });
  context.on('weberror', (error) => found.push(`uncaught: ${error.error().message}`));
  context.on('console', (message) => {
    const text = `${message.type()}: ${message.text()}`;
    // Chromium reports violations of the policy as errors too.
    if (/^(?:error|warning)/.test(text) && !EXPECTED.test(text)) found.push(text);
  });
  const page = context.pages()[0] ?? (await context.newPage());
  return {
    server,
    context,
    page,
    problems: () => found.splice(0),
    async open(address) {
      await page.goto(server.address + address);
      await page.locator('main').waitFor();
    },
    async save(...captures) {
      const ids: string[] = [];
      for (let at = 0; at < captures.length; at += 100) {
        const answer = await server.client('capture', { body: { captures: captures.slice(at, at + 100) } });
        ids.push(...answer.captures.map(({ id }) => id));
      }
      return ids;
    },
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

/**
 * A suite over one browser and one store. A test fails if the page logs an error, breaks its policy or sends a request
 * to another origin. Without Chromium the suite is skipped.
 *
 * @example
 * describeApp('tags', (app) => {
 *   test('are listed', async () => {
 *     await app().open('/tags');
 *   });
 * });
 */
export function describeApp(name: string, define: (app: () => WebApp) => void, options: ServerOptions = {}): void {
  describe.skipIf(browserPath === undefined)(`${name} (needs Chromium: apt-get install chromium)`, () => {
    let opened: WebApp | undefined;
    const app = () => {
      if (opened === undefined) throw new Error('The app is not open yet.');
      return opened;
    };
    beforeAll(async () => {
      opened = await openApp(options);
    });
    afterAll(() => opened?.close());
    beforeEach(() => () => expect(app().problems()).toEqual([]));
    define(app);
  });
}

/** Waits until a function returns what is expected of it. */
export const eventually = <T>(read: () => T | Promise<T>) => expect.poll(read, { interval: 50 });

/** The rows of the list of memories. */
export const rows = (page: Page): Locator => page.getByRole('list', { name: 'Memories' }).getByRole('listitem');

/** Waits until the titles of the listed memories are these. */
export async function expectTitles(page: Page, titles: readonly string[]): Promise<void> {
  const links = page.locator('a.row-title');
  await eventually(() => links.allTextContents()).toEqual(titles);
}

/** Waits for the outcome of an action. */
export async function expectOutcome(page: Page, text: RegExp | string): Promise<void> {
  await page.getByRole('status').getByText(text).waitFor();
}

/** Presses Undo in the outcome, and waits until it is done. */
export async function undo(page: Page): Promise<void> {
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
}

/** The accessible name of the element with the focus, or its tag. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement != null) element = element.shadowRoot.activeElement;
    if (element === null) return '';
    const label = element.getAttribute('aria-label') ?? (element as HTMLInputElement).labels?.[0]?.textContent;
    return `${element.tagName.toLowerCase()} ${(label ?? element.textContent ?? '').trim().slice(0, 60)}`;
  });
