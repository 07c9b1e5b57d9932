import { readApiKey } from './api-key.js';
import { type Connection, connect } from './connection.js';
import { readSetup } from './setup.js';

/** Milliseconds for which a server that has identified itself is trusted to be the same. */
const KEPT_MS = 60_000;

let recent: { target: string; at: number; connection: Promise<Connection> } | null = null;

/** Connects, or returns a connection of the last minute, so that each page needs a single request. */
export async function recentConnection(): Promise<Connection> {
  const [setup, apiKey] = await Promise.all([readSetup(), readApiKey()]);
  const target = JSON.stringify([setup?.connection.baseUrl, apiKey]);
  if (recent?.target !== target || Date.now() - recent.at > KEPT_MS)
    recent = { target, at: Date.now(), connection: connect(setup, apiKey) };
  const connection = await recent.connection;
  if (connection.state !== 'connected') forgetConnection();
  return connection;
}

/** Makes the next request connect again, after one that failed. */
export function forgetConnection(): void {
  recent = null;
}
