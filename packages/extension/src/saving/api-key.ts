const NAME = 'apiKey';

/** The key that the user entered, stored on this machine only; undefined when there is none. */
export async function readApiKey(): Promise<string | undefined> {
  const { [NAME]: key } = await chrome.storage.local.get<Record<string, string | undefined>>(NAME);
  return key;
}

export async function storeApiKey(key: string): Promise<void> {
  await chrome.storage.local.set({ [NAME]: key });
}
