import { ProblemError } from '@recollect/contract/client';
import { parseUrl } from '@recollect/contract/text';
import type { PageAnswer, PageHighlight, PageMessage } from '../page/messages.js';
import { announceChange } from '../saving/changes.js';
import { type Connected, type Connection, connectionAfter, isDenial } from '../saving/connection.js';
import { isOwnPage } from '../saving/own-page.js';
import { isOn } from '../saving/page-access.js';
import { forgetConnection, recentConnection } from '../saving/recent-connection.js';
import { readSetup } from '../saving/setup.js';
import { saveTab } from './save-tab.js';

type Sender = chrome.runtime.MessageSender;

/** Answers the script on a page: finds, makes and removes the highlights of that page. */
export async function answerPage(message: PageMessage, sender: Sender): Promise<PageAnswer> {
  const url = 'url' in message ? message.url : (sender.url ?? '');
  if (!isFrom(sender, url) || !(await isOn('highlights')) || isOwnPage(url, await readSetup())) return null;
  // Private windows are looked up only when the user highlights.
  if (message.type === 'find' && sender.tab?.incognito === true) return done([]);
  const connection = await recentConnection();
  if (connection.state !== 'connected') return failed(REASONS[connection.state]);
  try {
    switch (message.type) {
      case 'find':
        return done((await lookup(connection, url))?.highlights ?? []);
      case 'highlight':
        return await highlight(connection, message, sender);
      case 'remove':
        await connection.client('deleteHighlight', { parameters: { id: message.id } });
        announceChange();
        return done([]);
    }
  } catch (error) {
    forgetConnection();
    return failed(explain(error, connection));
  }
}

function explain(error: unknown, { host, hasKey }: Connected): string {
  if (error instanceof ProblemError) {
    if (error.code === 'SCOPE_MISSING')
      return 'The key of this extension lacks the scope memory:write, for highlights.';
    if (!isDenial(error)) return error.message;
  }
  const { state } = connectionAfter(error, host, hasKey);
  return REASONS[state === 'connected' ? 'off' : state];
}

/** Whether a message is about the page that sent it. A page must not learn about others. */
function isFrom({ id, frameId, tab, url }: Sender, address: string): boolean {
  if (id !== chrome.runtime.id || frameId !== 0 || tab === undefined || url === undefined) return false;
  return parseUrl(address)?.origin === new URL(url).origin;
}

/** Highlights a passage in the memory of the page, which is saved first if it is not there. */
async function highlight(
  connection: Connected,
  { url, quote: passage }: Extract<PageMessage, { type: 'highlight' }>,
  { tab }: Sender,
): Promise<PageAnswer> {
  const known = await lookup(connection, url);
  let memoryId = known?.id;
  if (memoryId === undefined) {
    const status = await saveTab(tab, { isWhole: true });
    // Another window may have sent it.
    memoryId = status.memoryId ?? (status.tone === 'good' ? (await lookup(connection, url))?.id : undefined);
    if (memoryId === undefined) return failed(`The page must be saved first. ${status.text}`);
  }
  const { quote, prefix, suffix } = passage;
  const body = { quote, prefix, suffix, colour: 'yellow' as const };
  const made = await connection.client('createHighlight', { parameters: { id: memoryId }, body });
  announceChange();
  // A key without memory:read gets no text back.
  return done([{ id: made.id, ...body }]);
}

async function lookup({ client }: Connected, url: string) {
  const { found } = await client('lookupMemories', { body: { urls: [url], highlights: true } });
  return found[0];
}

function done(highlights: readonly PageHighlight[]): PageAnswer {
  const needed = highlights.map(({ id, quote, prefix, suffix, colour }) => ({ id, quote, prefix, suffix, colour }));
  return { highlights: needed, problem: null };
}

function failed(problem: string): PageAnswer {
  return { highlights: [], problem };
}

const REASONS: Readonly<Record<Exclude<Connection['state'], 'connected'>, string>> = {
  checking: 'Recollect has not answered yet. Press h again in a moment.',
  off: 'Recollect does not answer. Start it, then press h again: the text stays selected.',
  'wrong-server': 'Another program answers at the address of your Recollect. Start Recollect, then press h again.',
  'key-needed': 'Recollect requires an API key. Enter it in the window of the toolbar button, then press h again.',
  'no-setup': 'Connect the extension to your Recollect first, in its options.',
};
