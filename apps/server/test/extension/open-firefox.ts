import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The path of Firefox on this machine; undefined when it is not installed. */
export const firefoxPath = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path));

/** The part of an address that Firefox otherwise draws for each extension. */
const UUID = '6f8c2b1e-3d4a-4b5c-8d6e-7f8091a2b3c4';

/** Firefox with an extension. */
export interface Firefox {
  /** The origin of the extension's pages. */
  origin: string;
  /** Opens an address in a new tab in front, and returns the tab. */
  open(url: string): Promise<string>;
  /** The value of an expression in a tab, awaited. */
  evaluate<T>(tab: string, expression: string): Promise<T>;
  /** Clicks an element of a tab as a user does. */
  click(tab: string, selector: string): Promise<void>;
  /** Presses a key in a tab as a user does. */
  press(tab: string, key: string): Promise<void>;
  /** Evaluates an expression in the window of the browser, with the rights of the browser itself. */
  evaluateInBrowser(expression: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens headless Firefox with its own profile and the archive of an extension. It grants the permissions that an
 * extension requests, since no test can answer the question.
 */
export async function openFirefox(archive: string, id: string): Promise<Firefox> {
  const profile = await mkdtemp(join(tmpdir(), 'recollect-firefox-'));
  const preferences = {
    'extensions.webextOptionalPermissionPrompts': false,
    'extensions.webextensions.uuids': JSON.stringify({ [id]: UUID }),
    'app.update.enabled': false,
    'browser.shell.checkDefaultBrowser': false,
    'datareporting.policy.dataSubmissionEnabled': false,
  };
  const lines = Object.entries(preferences).map((pair) => `user_pref(${pair.map((part) => JSON.stringify(part))});`);
  await writeFile(join(profile, 'user.js'), lines.join('\n'));
  const flags = ['--headless', '--no-remote', '--remote-debugging-port', '0', '--remote-allow-system-access'];
  const process = spawn(firefoxPath ?? '', [...flags, '--profile', profile], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<void>((resolve) => process.once('exit', () => resolve()));
  const close = async () => {
    process.kill();
    await ended;
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const send = await connect(await addressOf(process.stderr));
    await send('session.new', { capabilities: {} });
    await send('webExtension.install', { extensionData: { type: 'archivePath', path: archive } });
    const evaluateIn = async (context: string, expression: string) => {
      const target = { context };
      const { type, result, exceptionDetails } = await send('script.evaluate', {
        // The protocol has another form for nested values.
        expression: `(async () => JSON.stringify(await (${expression})))()`,
        target,
        awaitPromise: true,
      });
      if (type !== 'success') throw new Error(exceptionDetails.text);
      return result.value === undefined ? undefined : JSON.parse(result.value);
    };
    return {
      origin: `moz-extension://${UUID}`,
      async open(url) {
        const { context } = await send('browsingContext.create', { type: 'tab' });
        await send('browsingContext.navigate', { context, url, wait: 'complete' });
        return context;
      },
      evaluate: evaluateIn,
      async click(context, selector) {
        const box = `document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect()`;
        const { x, y, width, height } = await evaluateIn(context, box);
        const [middle, center] = [Math.round(x + width / 2), Math.round(y + height / 2)];
        const actions = [
          { type: 'pointerMove', x: middle, y: center },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ];
        await send('input.performActions', { context, actions: [{ type: 'pointer', id: 'mouse', actions }] });
      },
      async press(context, value) {
        const actions = [
          { type: 'keyDown', value },
          { type: 'keyUp', value },
        ];
        await send('input.performActions', { context, actions: [{ type: 'key', id: 'keyboard', actions }] });
      },
      async evaluateInBrowser(expression) {
        const { contexts } = await send('browsingContext.getTree', { 'moz:scope': 'chrome' });
        await evaluateIn(contexts[0].context, expression);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The address at which Firefox says that it listens. */
function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    output.on('data', (part) => {
      text += part;
      const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(text) ?? [];
      if (address !== undefined) resolve(address);
    });
    output.once('end', () => reject(new Error(`Firefox ended: ${text}`)));
  });
}

// biome-ignore lint/suspicious/noExplicitAny: protocol responses have any shape.
type Send = (method: string, parameters: object) => Promise<any>;

/** Connects to WebDriver BiDi. */
async function connect(address: string): Promise<Send> {
  const socket = new WebSocket(`${address}/session`);
  const waiting = new Map<number, (answer: { type: string; result: unknown; message?: string }) => void>();
  socket.onmessage = ({ data }) => {
    const answer = JSON.parse(String(data));
    waiting.get(answer.id)?.(answer);
  };
  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve();
    socket.onerror = () => reject(new Error('Firefox accepts no connection.'));
  });
  let count = 0;
  return (method, params) => {
    count += 1;
    const id = count;
    return new Promise((resolve, reject) => {
      waiting.set(id, ({ type, result, message }) => {
        waiting.delete(id);
        if (type === 'error') reject(new Error(`${method}: ${message}`));
        else resolve(result);
      });
      socket.send(JSON.stringify({ id, method, params }));
    });
  };
}
