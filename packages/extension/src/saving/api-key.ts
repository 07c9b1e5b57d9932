const STORAGE_KEY = 'apiKey';

/** The key that the user entered, stored on this machine only; undefined when there is none. */
export async function readApiKey(): Promise<string | undefined> {
  const { [STORAGE_KEY]: key } = await chrome.storage.local.get<Record<string, string | undefined>>(STORAGE_KEY);
  return key;
}

export async function storeApiKey(key: string): Promise<void> {
  await chrome.storage.local.set({ [STORAGE_KEY]: key });
}

export async function removeApiKey(): Promise<void> {
  await chrome.storage.local.remove(STORAGE_KEY);
}
