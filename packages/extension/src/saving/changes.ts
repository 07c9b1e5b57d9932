/** A message to the side panel: something was saved, highlighted or deleted. */
interface ChangeMessage {
  type: 'changed';
}

/** Tells the side panel that it may show something old. */
export function announceChange(): void {
  const message: ChangeMessage = { type: 'changed' };
  // Without a panel, nothing answers.
  chrome.runtime.sendMessage(message).catch(() => {});
}

/** Calls back when something was saved, highlighted or deleted. Returns how to stop. */
export function onChange(work: () => void): () => void {
  const listener = (message: ChangeMessage) => {
    if (message.type === 'changed') work();
  };
  chrome.runtime.onMessage.addListener(listener);
  return () => chrome.runtime.onMessage.removeListener(listener);
}
