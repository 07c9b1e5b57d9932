import { type Finding, ok, warning } from '@recollect/core';
import type { Configuration } from '../../config.js';
import { localAddress } from '../../server-address.js';

/** Milliseconds. */
const TIMEOUT = 2_000;

/** What uses the port of the server, if anything does. */
export async function examinePort(configuration: Configuration): Promise<Finding> {
  const address = localAddress(configuration);
  try {
    const response = await fetch(`${address}/healthz`, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT) });
    const answer = (await response.json().catch(() => null)) as { version?: unknown; code?: unknown } | null;
    if (typeof answer?.version === 'string')
      return ok('port', `A Recollect server of version ${answer.version} runs at ${address}.`);
    if (typeof answer?.code === 'string')
      return warning('port', `The Recollect server at ${address} reports a problem: ${answer.code}.`);
    return warning('port', `Another program uses ${address}. Set RECOLLECT_PORT to another port.`);
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    if (code === 'ECONNREFUSED') return ok('port', `No server runs at ${address}.`);
    return warning('port', `Something at ${address} does not answer like a Recollect server.`);
  }
}
