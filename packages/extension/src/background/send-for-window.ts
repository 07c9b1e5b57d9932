import { readApiKey } from '../saving/api-key.js';
import { connect } from '../saving/connection.js';
import { deliverAll } from '../saving/deliver.js';
import { readSetup } from '../saving/setup.js';

/** Sends the waiting captures if a window is closed while it sends. A window that has an answer says so first. */
export function sendForWindow(port: chrome.runtime.Port): void {
  let isAnswered = false;
  port.onMessage.addListener(() => {
    isAnswered = true;
  });
  port.onDisconnect.addListener(() => {
    if (!isAnswered) void sendWaiting();
  });
}

async function sendWaiting(): Promise<void> {
  const connection = await connect(await readSetup(), await readApiKey());
  if (connection.state === 'connected') await deliverAll(connection);
}
