import { parseServerUrl } from './server-url.js';

/** The hosts of a database, of which one is in use. All connections of a process share this choice. */
export interface Hosts {
  /** The address of the database as it may be shown. */
  location: string;
  /** Whether a host must accept changes to be used. */
  needsWritable: boolean;
  /** The URLs of the hosts, beginning with the one in use. */
  inOrder(): readonly string[];
  /** The URL of the one in use. */
  present(): string;
  /** Remembers the host that could be used. */
  use(url: string): void;
}

/** @param isReplica whether the hosts are only read, so that each of them can be used */
export function createHosts(url: string, { isReplica = false } = {}): Hosts {
  const { hosts, location, ...parsed } = parseServerUrl(url);
  const needsWritable = parsed.needsWritable && !isReplica;
  let present = 0;
  return {
    location,
    needsWritable,
    inOrder: () => [...hosts.slice(present), ...hosts.slice(0, present)],
    present: () => hosts[present] ?? url,
    use(host) {
      present = Math.max(0, hosts.indexOf(host));
    },
  };
}
