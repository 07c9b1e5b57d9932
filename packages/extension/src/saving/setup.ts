import { parseUrl } from '@recollect/contract/text';
import { type SetupFile, setupFileName } from '../setup-file.js';

const STORAGE_KEY = 'setup';
/** The options of the extension of a store. */
const CONNECT_PAGE = 'connect.html';

/** Whether this extension is from a store. It belongs to no deployment until the user connects it. */
export function isFromStore(): boolean {
  // Firefox returns the address of the page.
  return chrome.runtime.getManifest().options_ui?.page?.endsWith(CONNECT_PAGE) === true;
}

/** The deployment of the extension: from its archive, or as the user has connected it. Null without one. */
export function readSetup(): Promise<SetupFile | null> {
  return isFromStore() ? readStoredSetup() : readPackedSetup();
}

/** The setup file from the archive; null when it is missing or invalid. */
async function readPackedSetup(): Promise<SetupFile | null> {
  try {
    const response = await fetch(chrome.runtime.getURL(setupFileName));
    const setup: SetupFile = await response.json();
    return parseUrl(setup.connection.baseUrl) === null ? null : setup;
  } catch {
    return null;
  }
}

async function readStoredSetup(): Promise<SetupFile | null> {
  const { [STORAGE_KEY]: setup } = await chrome.storage.local.get<Record<string, SetupFile | undefined>>(STORAGE_KEY);
  return setup ?? null;
}

/** Connects the extension to a deployment, on this machine only. */
export async function storeSetup(setup: SetupFile): Promise<void> {
  await chrome.storage.local.set({ [STORAGE_KEY]: setup });
}

/** Disconnects the extension. */
export async function removeSetup(): Promise<void> {
  await chrome.storage.local.remove(STORAGE_KEY);
}
