import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';

/** Chromium itself: the builds that carry Chrome's name load no unpacked extension. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/Applications/Chromium.app/Contents/MacOS/Chromium'];

/** Where Chromium is on this machine; undefined where it is not. */
export const browserPath = PLACES.find((path) => existsSync(path));

export interface Browser {
  context: BrowserContext;
  close(): Promise<void>;
}

/** A Chromium without a window, with a profile of its own; `names` resolve to this machine. */
export async function openBrowser({
  extensions = [],
  names = [],
}: {
  extensions?: string[];
  names?: string[];
} = {}): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'recollect-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: browserPath ?? '',
    // Playwright's own headless mode loads no extension.
    headless: false,
    args: [
      '--headless=new',
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--no-first-run',
      // Chromium asks its user before a page of the web reaches this machine. What is tested is the service without that help.
      '--disable-features=LocalNetworkAccessChecks',
      ...(names.length === 0
        ? []
        : [`--host-resolver-rules=${names.map((name) => `MAP ${name} 127.0.0.1`).join(', ')}`]),
      ...(extensions.length === 0
        ? []
        : [`--disable-extensions-except=${extensions.join(',')}`, `--load-extension=${extensions.join(',')}`]),
    ],
  });
  return {
    context,
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
