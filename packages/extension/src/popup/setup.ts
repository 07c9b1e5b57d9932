import { type SetupFile, setupFileName } from '../setup-file.js';

/** The file that the archive brought along; null where there is none that can be read. */
export async function readSetup(): Promise<SetupFile | null> {
  try {
    const response = await fetch(chrome.runtime.getURL(setupFileName));
    const setup: SetupFile = await response.json();
    return URL.canParse(setup.connection.baseUrl) ? setup : null;
  } catch {
    return null;
  }
}
