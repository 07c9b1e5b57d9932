import { parseUrl } from '@recollect/contract/text';
import { type SetupFile, setupFileName } from '../setup-file.js';

/** The setup file from the archive; null when it is missing or invalid. */
export async function readSetup(): Promise<SetupFile | null> {
  try {
    const response = await fetch(chrome.runtime.getURL(setupFileName));
    const setup: SetupFile = await response.json();
    return parseUrl(setup.connection.baseUrl) === null ? null : setup;
  } catch {
    return null;
  }
}
