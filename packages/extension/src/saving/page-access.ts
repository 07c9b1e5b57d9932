import type { StopMessage } from '../page/messages.js';

/** The permission for web pages, which the user gives and takes back. */
const ORIGINS = ['http://*/*', 'https://*/*'];
const STORAGE_KEY = 'highlightsOnPages';
/** The id of the registered script. */
const SCRIPT = 'highlights';

/** Whether the extension may reach all web pages. */
export function hasPageAccess(): Promise<boolean> {
  return chrome.permissions.contains({ origins: ORIGINS });
}

/** Whether highlights are shown on web pages: the user has switched them on, and has not taken the permission back. */
export async function showsHighlights(): Promise<boolean> {
  return (await isSwitchedOn()) && (await hasPageAccess());
}

/**
 * Asks for the permission, and shows highlights on each page that is opened from then on. Must be called in answer to a
 * click. Returns whether the user gave the permission.
 */
export async function showHighlights(): Promise<boolean> {
  // First of all: browsers ask only in answer to a click.
  if (!(await chrome.permissions.request({ origins: ORIGINS }))) return false;
  await chrome.storage.local.set({ [STORAGE_KEY]: true });
  await syncHighlights();
  return true;
}

/** Removes highlights from all pages, and gives the permission back. */
export async function hideHighlights(): Promise<void> {
  await chrome.storage.local.remove(STORAGE_KEY);
  await syncHighlights();
  if (await hasPageAccess()) await chrome.permissions.remove({ origins: ORIGINS });
}

/**
 * Registers the script on pages or removes it, as the user has chosen. For changes outside of the options: an update of
 * the extension, which can remove it, and a permission that the user takes back in the settings of the browser.
 */
export async function syncHighlights(): Promise<void> {
  const isOn = await showsHighlights();
  const [registered] = await chrome.scripting.getRegisteredContentScripts({ ids: [SCRIPT] });
  if (isOn && registered === undefined)
    await chrome.scripting.registerContentScripts([
      { id: SCRIPT, matches: ORIGINS, js: ['highlights.js'], css: ['highlights.css'], runAt: 'document_idle' },
    ]);
  if (isOn) return;
  await chrome.storage.local.remove(STORAGE_KEY);
  if (registered !== undefined) await chrome.scripting.unregisterContentScripts({ ids: [SCRIPT] });
  await stopOnPages();
}

async function isSwitchedOn(): Promise<boolean> {
  const { [STORAGE_KEY]: isOn } = await chrome.storage.local.get<Record<string, boolean | undefined>>(STORAGE_KEY);
  return isOn === true;
}

/** Removes highlights from the pages that are open. */
async function stopOnPages(): Promise<void> {
  const message: StopMessage = { type: 'stop' };
  const tabs = await chrome.tabs.query({});
  // Most tabs have no script that answers.
  await Promise.allSettled(tabs.map(({ id }) => chrome.tabs.sendMessage(id ?? chrome.tabs.TAB_ID_NONE, message)));
}
