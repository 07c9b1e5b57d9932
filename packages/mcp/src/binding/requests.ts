import {
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { problems, type Scope } from '@recollect/contract';
import { RecollectError } from '@recollect/core';
import { mayDo, readClient } from '../caller.js';
import type { Session } from '../session.js';
import { explainError } from './call-tool.js';
import { withinTime } from './within-time.js';

const READING: Scope = 'memory:read';

/** What the handlers of all requests of one server have in common. */
export interface Requests {
  /** The session as the one who sent a request has it: revision 2026-07-28 names the client with each. */
  sessionOf(context: ServerContext): Session;
  /** Reads memories for what is no tool, within the time of a call. What goes wrong is a fault of the protocol there. */
  read<T>(context: ServerContext, work: (session: Session, signal: AbortSignal) => Promise<T>): Promise<T>;
}

export function createRequests(server: Server, session: Session): Requests {
  const sessionOf = ({ mcpReq }: ServerContext): Session => {
    const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
    const client = readClient(envelope[CLIENT_INFO_META_KEY] ?? server.getClientVersion());
    return client === null ? session : { ...session, caller: { ...session.caller, client } };
  };
  return {
    sessionOf,
    async read(context, work) {
      const { signal } = context.mcpReq;
      if (!mayDo(session.caller, READING)) {
        throw new ProtocolError(
          ProtocolErrorCode.InvalidRequest,
          `The API key of this connection lacks the scope ${READING}.`,
        );
      }
      try {
        return await withinTime(signal, (soon) => work(sessionOf(context), soon));
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ProtocolError) throw error;
        const isMistake = error instanceof RecollectError && problems[error.code].status < 500;
        const code = isMistake ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
        throw new ProtocolError(code, explainError(error, session.report));
      }
    },
  };
}

/** Lists that are given whole give no cursor, so one that is sent was made up. */
export function refuseCursor(cursor: string | undefined): void {
  if (cursor === undefined) return;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'This list has one page. Leave the cursor out.');
}

/** The one of that name. `kind` is what it is called to who asks for one that is not there. */
export function findNamed<T extends { name: string }>(all: readonly T[], name: string, kind: string): T {
  const found = all.find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = all.map((one) => one.name).join(', ');
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no such ${kind}. The ${kind}s are: ${names}.`);
}
