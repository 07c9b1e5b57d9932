import pg from 'pg';
import { connectionTo } from './host-pool.js';
import type { Hosts } from './hosts.js';

/** The channel on which transactions name the users whose memories they changed. */
const CHANNEL = 'recollect_changes';
/** Milliseconds after which a connection that was lost is made again, and that making it may take. */
const RETRY_AFTER = 5_000;

/** Calls a function with the user of each change, soon after its commit, until the returned function is called. */
export type Listen = (onChange: (userId: string) => void) => () => void;

/**
 * Makes a function that listens for changes over one connection, which is open while somebody listens. While it is
 * lost, changes are not announced. It is made to the host in use, which other connections choose.
 */
export function createListen(hosts: Hosts): { listen: Listen; close(): Promise<void> } {
  const listeners = new Set<{ onChange: (userId: string) => void }>();
  let client: pg.Client | null = null;
  let retry: NodeJS.Timeout | undefined;

  const connect = () => {
    const opened = new pg.Client({ ...connectionTo(hosts.present()), connectionTimeoutMillis: RETRY_AFTER });
    client = opened;
    const lose = () => {
      if (client !== opened) return;
      disconnect();
      if (listeners.size > 0) retry = setTimeout(connect, RETRY_AFTER).unref();
    };
    opened.on('error', lose);
    opened.on('end', lose);
    opened.on('notification', ({ payload = '' }) => {
      for (const { onChange } of listeners) onChange(payload);
    });
    opened
      .connect()
      .then(() => opened.query(`listen ${CHANNEL}`))
      .catch(lose);
  };

  const disconnect = () => {
    clearTimeout(retry);
    const open = client;
    client = null;
    return open?.end().catch(() => {});
  };

  return {
    listen(onChange) {
      const listener = { onChange };
      listeners.add(listener);
      if (listeners.size === 1) connect();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) void disconnect();
      };
    },
    async close() {
      listeners.clear();
      await disconnect();
    },
  };
}
