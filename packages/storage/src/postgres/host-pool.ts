import pg from 'pg';
import { isElsewhere, isReadOnly } from './explain-fault.js';
import type { Hosts } from './hosts.js';
import { endIfUnanswered } from './silent-connection.js';

/** Milliseconds. A statement that takes longer is ended: it would keep others from the connections. */
const TIMEOUTS = { connect: 10_000, ofSeveral: 5_000, statement: 60_000 };
/** Milliseconds of silence after which the system asks whether the other side of a connection is there. */
const KEEP_ALIVE = 10_000;

/** Connections to the host of a database that is in use, in the form that Kysely takes. */
export interface HostPool {
  connect(): Promise<pg.PoolClient>;
  /** Closes each connection when it is released, so that the next caller looks for the host anew. */
  leave(): void;
  end(): Promise<void>;
  /** The settings of a connection that ends the statement of another one. */
  readonly options: object;
}

/** How each connection is made. */
export interface PoolOptions {
  max: number;
  types?: pg.CustomTypesConfig;
  /** Sets a connection before it is used. */
  prepare(client: pg.ClientBase): Promise<void>;
}

/** The settings of every connection to a host. */
export function connectionTo(url: string) {
  return { connectionString: url, keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE, application_name: NAME };
}

/** By this name, a process recognises the connections of others. */
const NAME = 'recollect';

/**
 * Makes a pool that looks for the host to use whenever it needs a connection. A host that cannot be reached, or that
 * accepts no changes after a failover, is left for the next one.
 */
export function createHostPool(hosts: Hosts, { max, types, prepare }: PoolOptions): HostPool {
  const pools = new Map<string, pg.Pool>();

  const open = (url: string): pg.Pool => {
    const pool = new pg.Pool({
      ...connectionTo(url),
      max,
      ...(types && { types }),
      connectionTimeoutMillis: hosts.inOrder().length > 1 ? TIMEOUTS.ofSeveral : TIMEOUTS.connect,
      statement_timeout: TIMEOUTS.statement,
      // A statement is sent while another one runs, such as the setting of the user before it.
      pipeline: true,
      onConnect: async (client: pg.ClientBase) => {
        // A lost connection fails its statement. Between two statements, its error would end the process.
        client.on('error', () => {});
        if (hosts.needsWritable) await refuseReadOnly(client);
        await prepare(client);
        endIfUnanswered(client, url);
      },
    } as pg.PoolConfig);
    // The next statement gets another connection.
    pool.on('error', () => {});
    pools.set(url, pool);
    return pool;
  };

  const leaveAllBut = (url: string | null) => {
    for (const [other, pool] of pools) {
      if (other === url) continue;
      pools.delete(other);
      void pool.end().catch(() => {});
    }
  };

  return {
    async connect() {
      const failures: unknown[] = [];
      for (const url of hosts.inOrder()) {
        try {
          const client = await (pools.get(url) ?? open(url)).connect();
          hosts.use(url);
          leaveAllBut(url);
          return client;
        } catch (error) {
          if (!isElsewhere(error)) throw error;
          failures.push(error);
        }
      }
      // A host that answers says more than one that does not.
      throw failures.find(isReadOnly) ?? failures[0];
    },
    leave: () => leaveAllBut(null),
    async end() {
      await Promise.all(Array.from(pools.values(), (pool) => pool.end()));
    },
    get options() {
      return connectionTo(hosts.present());
    },
  };
}

/** Throws the error that a change would get on a host that accepts none: a standby, or a former primary. */
async function refuseReadOnly(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
  if (rows[0]?.transaction_read_only === 'off') return;
  throw Object.assign(new Error('The host accepts no changes.'), { code: '25006' });
}
