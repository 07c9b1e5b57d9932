import type { StopMessage } from '../page/messages.js';

/** What the user can switch on, each of which needs the permission for web pages. */
export type Feature = 'highlights' | 'panel';

/** The permission for web pages, which the user gives and takes back. */
const ORIGINS = ['http://*/*', 'https://*/*'];
const FEATURES: readonly Feature[] = ['highlights', 'panel'];
const PREFIX = 'on:';
/** The id of the registered script. */
const SCRIPT = 'highlights';
const PANEL_PAGE = 'panel.html';

/** Whether the user has switched a feature on, and has not taken the permission back. */
export async function isOn(feature: Feature): Promise<boolean> {
  return (await isChosen(feature)) && (await hasPageAccess());
}

/**
 * Asks for the permissions of a feature, and switches it on. Must be called in answer to a click. Returns whether the
 * user gave the permissions.
 */
export async function switchOn(feature: Feature): Promise<boolean> {
  // First of all: browsers ask only in answer to a click.
  if (!(await chrome.permissions.request({ origins: ORIGINS, permissions: permissionsOf(feature) }))) return false;
  await chrome.storage.local.set({ [PREFIX + feature]: true });
  await syncFeatures();
  return true;
}

/** Switches a feature off. Gives the permission for web pages back if nothing else needs it. */
export async function switchOff(feature: Feature): Promise<void> {
  await chrome.storage.local.remove(PREFIX + feature);
  await syncFeatures();
  const chosen = await Promise.all(FEATURES.map(isChosen));
  const origins = !chosen.includes(true) && (await hasPageAccess()) ? ORIGINS : [];
  await chrome.permissions.remove({ origins, permissions: permissionsOf(feature) });
}

/** Switches off all that needs the permission for web pages, and gives it back. */
export async function switchOffAll(): Promise<void> {
  for (const feature of FEATURES) if (await isChosen(feature)) await switchOff(feature);
}

/**
 * Makes the browser do what the user has chosen. For changes outside of the options: a start of the browser, an update
 * of the extension, and a permission that the user takes back in the settings of the browser.
 */
export async function syncFeatures(): Promise<void> {
  if (!(await hasPageAccess())) await chrome.storage.local.remove(FEATURES.map((feature) => PREFIX + feature));
  await syncHighlights(await isOn('highlights'));
  // A browser forgets it when it ends.
  await sidePanel()?.setOptions({ path: PANEL_PAGE, enabled: await isOn('panel') });
}

/** The side panel of Chromium, if the user has switched it on. Firefox always lists its sidebar. */
export function sidePanel(): typeof chrome.sidePanel | undefined {
  return (chrome as Partial<typeof chrome>).sidePanel;
}

async function syncHighlights(isWanted: boolean): Promise<void> {
  const [registered] = await chrome.scripting.getRegisteredContentScripts({ ids: [SCRIPT] });
  if (isWanted && registered === undefined)
    await chrome.scripting.registerContentScripts([
      { id: SCRIPT, matches: ORIGINS, js: ['highlights.js'], css: ['highlights.css'], runAt: 'document_idle' },
    ]);
  if (isWanted || registered === undefined) return;
  await chrome.scripting.unregisterContentScripts({ ids: [SCRIPT] });
  await stopOnPages();
}

function permissionsOf(feature: Feature): chrome.runtime.ManifestOptionalPermission[] {
  const { optional_permissions = [] } = chrome.runtime.getManifest();
  return feature === 'panel' && optional_permissions.includes('sidePanel') ? ['sidePanel'] : [];
}

function hasPageAccess(): Promise<boolean> {
  return chrome.permissions.contains({ origins: ORIGINS });
}

async function isChosen(feature: Feature): Promise<boolean> {
  const name = PREFIX + feature;
  const { [name]: value } = await chrome.storage.local.get<Record<string, boolean | undefined>>(name);
  return value === true;
}

/** Removes highlights from the pages that are open. */
async function stopOnPages(): Promise<void> {
  const message: StopMessage = { type: 'stop' };
  const tabs = await chrome.tabs.query({});
  // Most tabs have no script that answers.
  await Promise.allSettled(tabs.map(({ id }) => chrome.tabs.sendMessage(id ?? chrome.tabs.TAB_ID_NONE, message)));
}
