import pg from 'pg';
import { isElsewhere, isReadOnly } from './explain-fault.js';
import type { Hosts } from './hosts.js';
import { endIfUnanswered } from './silent-connection.js';

/** Milliseconds until a connection is given up, and until it is where there are several hosts. */
const TIMEOUTS = { connect: 10_000, ofSeveral: 5_000 };
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

/** Ends the statement of a server's process. */
export type Cancel = (processId: number) => Promise<unknown>;

/** How each connection is made. */
export interface PoolOptions {
  max: number;
  types?: pg.CustomTypesConfig;
  /** Sets a connection before it is used. It gets a function that ends the statement of a process of the same host. */
  prepare(client: pg.ClientBase, cancel: Cancel): Promise<void>;
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
  const pools = new Map<string, HostConnections>();

  const open = (url: string): HostConnections => {
    // All others may be busy with statements that are to be ended. It is made when it is needed.
    const canceller = new pg.Pool({ ...connectionTo(url), max: 1, connectionTimeoutMillis: TIMEOUTS.ofSeveral });
    canceller.on('error', () => {});
    const cancel: Cancel = (processId) => canceller.query('select pg_cancel_backend($1)', [processId]);
    const pool = new pg.Pool({
      ...connectionTo(url),
      max,
      ...(types && { types }),
      connectionTimeoutMillis: hosts.inOrder().length > 1 ? TIMEOUTS.ofSeveral : TIMEOUTS.connect,
      // A statement is sent while another one runs, such as the setting of the user before it.
      pipeline: true,
      onConnect: async (client: pg.ClientBase) => {
        // A lost connection fails its statement. Between two statements, its error would end the process.
        client.on('error', () => {});
        if (hosts.needsWritable) await refuseReadOnly(client);
        await prepare(client, cancel);
        endIfUnanswered(client, url);
      },
    } as pg.PoolConfig);
    // The next statement gets another connection.
    pool.on('error', () => {});
    const opened = { pool, canceller };
    pools.set(url, opened);
    return opened;
  };

  const leaveAllBut = (url: string | null) => {
    for (const [other, opened] of pools) {
      if (other === url) continue;
      pools.delete(other);
      void end(opened).catch(() => {});
    }
  };

  return {
    async connect() {
      const failures: unknown[] = [];
      for (const url of hosts.inOrder()) {
        try {
          const client = await (pools.get(url) ?? open(url)).pool.connect();
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
      await Promise.all(Array.from(pools.values(), end));
    },
    get options() {
      return connectionTo(hosts.present());
    },
  };
}

/** The connections to one host. */
interface HostConnections {
  pool: pg.Pool;
  /** One connection that ends statements of the others. */
  canceller: pg.Pool;
}

async function end({ pool, canceller }: HostConnections): Promise<void> {
  await Promise.all([pool.end(), canceller.end()]);
}

/** Throws the error that a change would get on a host that accepts none: a standby, or a former primary. */
async function refuseReadOnly(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
  if (rows[0]?.transaction_read_only === 'off') return;
  throw Object.assign(new Error('The host accepts no changes.'), { code: '25006' });
}
