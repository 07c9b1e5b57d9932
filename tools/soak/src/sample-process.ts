import type { Send } from './send.js';

/** The state of the server's process at one moment. */
export interface Sample {
  /** Minutes since the soak began. */
  minute: number;
  /** Which start of the server it is of, from 1. */
  life: number;
  residentMb: number;
  heapMb: number;
  /** Null where the system does not count them. */
  descriptors: number | null;
  storeMb: number;
}

const MB = 1024 * 1024;

/** Reads a sample from the server's metrics. Null if it does not answer. */
export async function sampleProcess(send: Send, minute: number, life: number): Promise<Sample | null> {
  const { status, body } = await send('GET', '/metrics');
  if (status !== 200) return null;
  const read = (name: string) => {
    const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1];
    return value === undefined ? null : Number(value);
  };
  const megabytes = (name: string) => (read(name) ?? Number.NaN) / MB;
  return {
    minute,
    life,
    residentMb: megabytes('process_resident_memory_bytes'),
    heapMb: megabytes('nodejs_heap_size_used_bytes'),
    descriptors: read('process_open_fds'),
    storeMb: megabytes('recollect_store_bytes'),
  };
}
