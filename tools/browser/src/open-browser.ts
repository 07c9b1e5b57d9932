import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, type BrowserContextOptions, chromium, type Browser as Process } from 'playwright-core';

/** Paths of Chromium itself, because builds branded as Chrome do not load unpacked extensions. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/Applications/Chromium.app/Contents/MacOS/Chromium'];

/** The path of Chromium on this machine; undefined when it is not installed. */
export const browserPath = PLACES.find((path) => existsSync(path));

/**
 * Chromium without its own windows, which Debian ships beside it. It needs a quarter less of the processor, and loads
 * no extensions.
 */
const SHELL = '/usr/bin/chromium-headless-shell';

const lightest = existsSync(SHELL) ? SHELL : browserPath;

const launch = (executablePath = '') => ({
  executablePath,
  // Playwright's own headless mode does not load extensions.
  headless: false,
});

const ARGUMENTS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--no-first-run',
  // Chromium asks the user before a web page may reach this machine. The tests cover the service without that help. And
  // it keeps a process ready for the next site, which most tests never visit, and pages for its address bar, which no
  // test sees.
  '--disable-features=LocalNetworkAccessChecks,SpareRendererForSitePerProcess,WebUIOmniboxPopup,WebUIOmniboxAimPopup',
];

/** Time limit of every wait for a browser, in milliseconds. Only a fault takes so long, on any machine. */
const LIMIT = 120_000;

export interface Browser {
  context: BrowserContext;
  close(): Promise<void>;
}

/**
 * Opens headless Chromium with its own profile. The host names in `names` resolve to this machine. `isWhole`: with all
 * that users have, such as the measurement of a tab's memory, also without an extension.
 */
export async function openBrowser({
  extensions = [],
  names = [],
  isWhole = extensions.length > 0,
}: {
  extensions?: string[];
  names?: string[];
  isWhole?: boolean;
} = {}): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'recollect-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    ...launch(isWhole ? browserPath : lightest),
    timeout: LIMIT,
    args: [
      ...ARGUMENTS,
      ...(names.length === 0
        ? []
        : [`--host-resolver-rules=${names.map((name) => `MAP ${name} 127.0.0.1`).join(', ')}`]),
      ...(extensions.length === 0
        ? []
        : [`--disable-extensions-except=${extensions.join(',')}`, `--load-extension=${extensions.join(',')}`]),
    ],
  });
  context.setDefaultTimeout(LIMIT);
  const forget = () => rmSync(profile, { recursive: true, force: true });
  // A browser that is shared until the process ends is not closed before.
  process.once('exit', forget);
  return {
    context,
    async close() {
      process.off('exit', forget);
      await context.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

let shared: Promise<Process> | undefined;

/**
 * Opens a context without cookies or storage in a headless Chromium that all such contexts of this process share: it
 * starts in a twentieth of the time. That Chromium ends with the process.
 */
export async function openContext(options: BrowserContextOptions = {}): Promise<Browser> {
  shared ??= chromium.launch({ ...launch(lightest), timeout: LIMIT, args: ARGUMENTS });
  // A request that passes a service worker is not seen by the page's routes.
  const context = await (await shared).newContext({ serviceWorkers: 'block', ...options });
  context.setDefaultTimeout(LIMIT);
  return { context, close: () => context.close() };
}
