import {
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { problems, type Scope } from '@recollect/contract';
import { RecollectError } from '@recollect/core';
import { hasScope, readClient, type Session } from '../caller.js';

import { explainError, withTimeLimit } from './call-tool.js';

const READ_SCOPE: Scope = 'memory:read';

/** The state that all request handlers of one server share. */
export interface Requests {
  /** The session of a request. In revision 2026-07-28 each request names its client. */
  sessionOf(context: ServerContext): Session;
  /** Reads memories for requests other than tool calls, within the time of a call. Errors become protocol errors. */
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
      if (!hasScope(session.caller, READ_SCOPE)) {
        throw new ProtocolError(
          ProtocolErrorCode.InvalidRequest,
          `The API key of this connection lacks the scope ${READ_SCOPE}.`,
        );
      }
      try {
        return await withTimeLimit(signal, (soon) => work(sessionOf(context), soon));
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ProtocolError) throw error;
        const isClientError = error instanceof RecollectError && problems[error.code].status < 500;
        const code = isClientError ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
        throw new ProtocolError(code, explainError(error, session.report));
      }
    },
  };
}

/** These lists have one page and return no cursor, so any cursor is invalid. */
export function rejectCursor(cursor: string | undefined): void {
  if (cursor === undefined) return;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'This list has only one page. Omit the cursor.');
}

/** Finds an item by name. `kind` is the word for it in the error message. */
export function findByName<T extends { name: string }>(all: readonly T[], name: string, kind: string): T {
  const match = all.find((item) => item.name === name);
  if (match !== undefined) return match;
  const names = all.map((item) => item.name).join(', ');
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown ${kind}. The ${kind}s are: ${names}.`);
}
