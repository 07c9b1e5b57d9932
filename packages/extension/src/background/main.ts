import type { PageMessage } from '../page/messages.js';
import { readApiKey } from '../saving/api-key.js';
import { saveCommand } from '../saving/commands.js';
import { connect } from '../saving/connection.js';
import { deliverAll } from '../saving/deliver.js';
import { removeSavedDraft } from '../saving/draft.js';
import { syncFeatures } from '../saving/page-access.js';
import { readSetup } from '../saving/setup.js';
import type { WindowWork } from '../saving/window-work.js';
import { answerPage } from './answer-page.js';
import { keepAwake } from './keep-awake.js';
import { saveTab } from './save-tab.js';

chrome.commands.onCommand.addListener((command, tab) => {
  if (command === saveCommand) void keepAwake(callBrowser, () => saveTab(tab));
});
chrome.runtime.onConnect.addListener(continueForWindow);
chrome.runtime.onMessage.addListener((message: PageMessage, sender, answer) => {
  answerPage(message, sender).then(answer, () => answer(null));
  // The answer comes later.
  return true;
});
chrome.runtime.onInstalled.addListener(() => void syncFeatures());
chrome.runtime.onStartup.addListener(() => void syncFeatures());
chrome.permissions.onRemoved.addListener(() => void syncFeatures());
// Scripts on pages need nothing that is stored, such as the key. Firefox cannot keep it from them.
if ('setAccessLevel' in chrome.storage.local)
  void chrome.storage.local.setAccessLevel({ accessLevel: 'TRUSTED_CONTEXTS' });

const callBrowser = () => void chrome.runtime.getPlatformInfo();

/** Finishes a capture whose window is closed before it is saved. */
function continueForWindow(port: chrome.runtime.Port): void {
  let work: WindowWork = { stage: 'done' };
  port.onMessage.addListener((told: WindowWork) => {
    work = told;
  });
  port.onDisconnect.addListener(() => void keepAwake(callBrowser, () => finish(work)));
}

async function finish(work: WindowWork): Promise<void> {
  if (work.stage === 'reading') {
    // The tab may also be closed. Then there is nothing left to read.
    const tab = await chrome.tabs.get(work.tabId).catch(() => null);
    if (tab !== null) await saveTab(tab, work);
  }
  if (work.stage === 'waiting') await sendWaiting(work);
}

async function sendWaiting({ key, url, additions }: Extract<WindowWork, { stage: 'waiting' }>): Promise<void> {
  const connection = await connect(await readSetup(), await readApiKey());
  const delivered = connection.state === 'connected' ? await deliverAll(connection) : null;
  // As in the window, the text stays in its fields if the server refuses it.
  if (delivered?.byKey.get(key)?.outcome !== 'refused') await removeSavedDraft(url, additions);
}
