import type { Socket } from 'node:net';
import pg from 'pg';

/** Milliseconds without a byte after which the host of a connection is asked for a new one, and until it answers. */
const SILENCE = { until: 15_000, answer: 5_000 };

/**
 * Ends a connection on which nothing arrives, unless its host accepts a new connection. A machine that lost its power
 * closes no connection, and the system would wait for a quarter of an hour. A slow statement continues.
 */
export function endIfUnanswered(client: pg.ClientBase, url: string): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.setTimeout(SILENCE.until);
  stream.on('timeout', async () => {
    if (await answers(url)) stream.setTimeout(SILENCE.until);
    else stream.destroy();
  });
}

async function answers(url: string): Promise<boolean> {
  const asking = new pg.Client({ connectionString: url, connectionTimeoutMillis: SILENCE.answer });
  asking.on('error', () => {});
  try {
    await asking.connect();
    return true;
  } catch (error) {
    // A server that refuses is there; its error has a severity.
    return error instanceof pg.DatabaseError;
  } finally {
    void asking.end().catch(() => {});
  }
}
