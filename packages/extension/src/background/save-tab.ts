import { picturesSoon } from '../pictures/pictures-soon.js';
import { readApiKey } from '../saving/api-key.js';
import { connect } from '../saving/connection.js';
import { deliverAll } from '../saving/deliver.js';
import { readDraft, saveDraft } from '../saving/draft.js';
import { wholeMode } from '../saving/modes.js';
import { enqueue, replaceEntry } from '../saving/outbox.js';
import { readAgain, readUntilWritten } from '../saving/read-again.js';
import { readPictures } from '../saving/read-pictures.js';
import { readTab } from '../saving/read-tab.js';
import { receipt } from '../saving/receipt.js';
import type { Delivery } from '../saving/send.js';
import { readSetup } from '../saving/setup.js';
import type { Status } from '../saving/status.js';
import { continueDraft, NO_ADDITIONS, problemOf, toCapture, withPictures } from '../saving/to-capture.js';
import type { WindowWork } from '../saving/window-work.js';

interface Given extends Partial<Pick<Extract<WindowWork, { stage: 'reading' }>, 'additions' | 'mode'>> {
  /** Whether to save the page although something is selected. */
  isWhole?: boolean;
}

/**
 * Saves the same capture as the window, and shows the result on the toolbar button.
 *
 * @param given input of a window for the page, beyond its draft
 */
export async function saveTab(tab?: chrome.tabs.Tab, given: Given = {}): Promise<Status> {
  await showBadge(tab?.id, { tone: 'busy', text: 'Saving …' });
  const status = await save(tab, given).catch(
    (error): Status => ({ tone: 'bad', text: `The page was not saved: ${String(error)}` }),
  );
  await showBadge(tab?.id, status);
  return status;
}

async function save(tab: chrome.tabs.Tab | undefined, given: Given): Promise<Status> {
  const setup = await readSetup();
  const tabReading = await readTab(setup, { tab });
  if ('problem' in tabReading) return { tone: tabReading.tone, text: tabReading.problem };
  let { reading } = tabReading;
  const mode = given.mode ?? (given.isWhole === true ? wholeMode(reading) : reading.smart) ?? 'page';
  const draft = await readDraft(reading.url);
  const additions = continueDraft(draft ?? NO_ADDITIONS, given.additions ?? NO_ADDITIONS);
  const { version } = chrome.runtime.getManifest();
  const capture = toCapture(reading, mode, additions, version);
  const problem = problemOf(capture);
  if (problem !== null) return { tone: 'bad', text: problem };
  const pictures = await picturesSoon(readPictures(tab));
  let waiting = await enqueue(withPictures(capture, pictures));
  if (mode === 'conversation' && reading.isStreaming)
    await showBadge(tab?.id, { tone: 'busy', text: 'Waiting until the answer is written …' });
  for await (const grown of readUntilWritten(reading, mode, (before) => readAgain(before, setup, tab))) {
    reading = grown;
    waiting = await replaceEntry(waiting, withPictures(toCapture(grown, mode, additions, version), pictures));
  }
  const connection = await connect(setup, await readApiKey());
  const delivered = connection.state === 'connected' ? await deliverAll(connection) : null;
  const keptDelivery: Delivery = { outcome: 'kept', connection, affectsAll: true };
  const delivery =
    delivered === null
      ? keptDelivery
      : (delivered.byKey.get(waiting.key) ?? delivered.stopped ?? ({ outcome: 'gone' } as const));
  if (delivery.outcome !== 'refused') await saveDraft(reading.url, NO_ADDITIONS);
  return receipt(delivery, { reading, mode, known: null });
}

/** Milliseconds that the result of a capture is shown. */
const BADGE_MS = 4_000;

const BADGES: Readonly<Record<Status['tone'], { text: string; color: string }>> = {
  quiet: { text: '–', color: '#56616c' },
  busy: { text: '…', color: '#56616c' },
  good: { text: '✓', color: '#176b3a' },
  kept: { text: '…', color: '#7a4f00' },
  bad: { text: '!', color: '#a8231b' },
};

/** Shows a status on the toolbar button of a tab: a sign, and the text as its tooltip. A result stays for a moment. */
async function showBadge(tabId: number | undefined, { tone, text }: Status): Promise<void> {
  const tab = tabId === undefined ? {} : { tabId };
  const { action } = chrome;
  const badge = BADGES[tone];
  const changes = [
    action.setBadgeBackgroundColor({ ...tab, color: badge.color }),
    action.setBadgeTextColor({ ...tab, color: '#ffffff' }),
    action.setBadgeText({ ...tab, text: badge.text }),
    action.setTitle({ ...tab, title: text }),
  ];
  // The tab may be closed by now.
  await Promise.allSettled(changes);
  if (tone !== 'busy') setTimeout(() => void action.setBadgeText({ ...tab, text: '' }).catch(() => {}), BADGE_MS);
}
