import { setTimeout as sleep } from 'node:timers/promises';
import { extensionOrigin } from '@recollect/contract';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';

interface Target {
  targetId: string;
  type: string;
  url: string;
  embedderData?: { tabActive?: boolean };
}

/** The popup. Playwright does not treat it as a page, so the DevTools protocol drives it. */
export interface Popup {
  /** The value of an expression in the window, awaited. */
  evaluate<T>(expression: string): Promise<T>;
  /** Waits until an expression is true in the window. */
  until(expression: string, seconds?: number): Promise<void>;
  /** The text of the status region once it matches. */
  status(pattern: RegExp, seconds?: number): Promise<string>;
  /** Presses the first visible and enabled button whose name contains a text. */
  press(name: string): Promise<void>;
  /** Waits for an element and focuses it. */
  focus(selector: string): Promise<void>;
  key(key: string): Promise<void>;
  type(text: string): Promise<void>;
  screenshot(): Promise<Buffer>;
  emulate(features: Record<string, string>): Promise<void>;
  close(): Promise<void>;
}

/** Presses an extension's toolbar button while a page is shown, as a user would, and returns the popup. */
export async function pressButton(
  context: BrowserContext,
  page: Page,
  origin: string = extensionOrigin,
): Promise<Popup> {
  const id = new URL(origin).host;
  await page.bringToFront();
  const browser = await context.browser()?.newBrowserCDPSession();
  if (browser === undefined) throw new Error('No protocol session with the browser.');
  const targets = async () => {
    // An empty filter includes tabs.
    const { targetInfos } = await sendTo(browser, 'Target.getTargets', { filter: [{}] });
    return targetInfos as Target[];
  };
  const popups = (all: Target[]) =>
    all.filter(({ type, url }) => type === 'page' && url.startsWith(`${origin}/popup.html`));
  const before = new Set(popups(await targets()).map(({ targetId }) => targetId));
  const tab = (await targets()).find(({ type, embedderData }) => type === 'tab' && embedderData?.tabActive === true);
  await sendTo(browser, 'Extensions.triggerAction', { id, targetId: tab?.targetId });
  for (let attempt = 0; attempt < 1200; attempt++) {
    const opened = popups(await targets()).find(({ targetId }) => !before.has(targetId));
    if (opened !== undefined) return attach(browser, opened.targetId);
    await sleep(50);
  }
  throw new Error('The popup did not open.');
}

async function attach(browser: CDPSession, targetId: string): Promise<Popup> {
  const { sessionId } = await sendTo(browser, 'Target.attachToTarget', { targetId, flatten: false });
  const waiting = new Map<number, (message: { result?: unknown; error?: { message: string } }) => void>();
  browser.on('Target.receivedMessageFromTarget', ({ sessionId: from, message }) => {
    const parsed = JSON.parse(message);
    if (from === sessionId) waiting.get(parsed.id)?.(parsed);
  });
  // Requests to a closed popup never get a response.
  browser.on('Target.detachedFromTarget', ({ sessionId: gone }) => {
    if (gone === sessionId)
      for (const answer of waiting.values()) answer({ error: { message: 'The popup was closed.' } });
  });
  let count = 0;
  // biome-ignore lint/suspicious/noExplicitAny: protocol responses have any shape.
  const send = async (method: string, params: object = {}): Promise<any> => {
    count += 1;
    const message = JSON.stringify({ id: count, method, params });
    const answered = new Promise<{ result?: unknown; error?: { message: string } }>((resolve) =>
      waiting.set(count, resolve),
    );
    await sendTo(browser, 'Target.sendMessageToTarget', { sessionId, message });
    const { result, error } = await answered;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };

  const popup: Popup = {
    async evaluate(expression) {
      const { result, exceptionDetails } = await send('Runtime.evaluate', {
        expression,
        awaitPromise: true,
        returnByValue: true,
        userGesture: true,
      });
      if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? 'It threw.');
      return result.value;
    },
    async until(expression, seconds = 60) {
      for (let attempt = 0; attempt < seconds * 20; attempt++) {
        // What it looks for may not be there yet.
        const isTrue = `(async () => { try { return Boolean(await (${expression})); } catch { return false; } })()`;
        if (await popup.evaluate(isTrue)) return;
        await sleep(50);
      }
      throw new Error(
        `Timed out waiting for: ${expression}. The popup shows: ${await popup.evaluate('document.body.innerText')}`,
      );
    },
    async status(pattern, seconds) {
      const text = `document.querySelector('[role=status]')?.textContent ?? ''`;
      await popup.until(`${pattern}.test(globalThis.statusRead = ${text})`, seconds);
      return popup.evaluate('globalThis.statusRead');
    },
    async press(name) {
      const button = `[...document.querySelectorAll('button')].find((button) =>
        button.checkVisibility() && !button.matches(':disabled, [aria-disabled=true]') && button.textContent.includes(${JSON.stringify(name)}))`;
      // In one step: meanwhile it may be locked.
      await popup.until(`[${button}].map((button) => button.click() ?? true)[0]`);
    },
    async focus(selector) {
      const element = `document.querySelector(${JSON.stringify(selector)})`;
      await popup.until(element);
      await popup.evaluate(`${element}.focus()`);
    },
    async key(key) {
      const code = { Tab: 9, Enter: 13, ArrowDown: 40, ArrowUp: 38, Backspace: 8, Escape: 27 }[key] ?? 0;
      const event = { key, code: key, windowsVirtualKeyCode: code, ...(key === 'Enter' ? { text: '\r' } : {}) };
      // When the key opens a page, the popup closes before the response or before the key is up.
      await send('Input.dispatchKeyEvent', { type: 'keyDown', ...event }).catch(() => {});
      await send('Input.dispatchKeyEvent', { type: 'keyUp', ...event }).catch(() => {});
    },
    type: (text) => send('Input.insertText', { text }),
    async screenshot() {
      const { data } = await send('Page.captureScreenshot', { format: 'png' });
      return Buffer.from(data, 'base64');
    },
    async emulate(features) {
      const list = Object.entries(features).map(([name, value]) => ({ name, value }));
      await send('Emulation.setEmulatedMedia', { features: list });
    },
    async close() {
      await sendTo(browser, 'Target.closeTarget', { targetId });
      await browser.detach();
    },
  };
  await popup.until(`document.readyState === 'complete'`);
  return popup;
}

// biome-ignore lint/suspicious/noExplicitAny: the methods are newer than the protocol types.
function sendTo(session: CDPSession, method: string, parameters: object): Promise<any> {
  return (session.send as (method: string, parameters: object) => Promise<unknown>).call(session, method, parameters);
}
