import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  isLegacyRequest,
  type McpRequestContext,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { McpAnswer, McpMessage } from '@recollect/contract';
import { type Caller, type Client, readClient } from '../caller.js';
import { createMcpServer, type McpServerOptions } from '../create-mcp-server.js';
import { readCall } from './read-call.js';

/** The longest id that is read; those created here are shorter. */
const MAX_LENGTH = 2_000;

/**
 * Creates an `Mcp-Session-Id` from the client's name and version and a unique part. The server does not store it, so
 * its answers need no state. Like the client's own data in `initialize`, it is an unverified claim and grants nothing.
 */
export function createSessionId(client: Client | null): string {
  return `${randomUUID()}.${Buffer.from(JSON.stringify(client)).toString('base64url')}`;
}

/** Reads the client from a session id; null if it names none or was not made by {@link createSessionId}. */
export function readSessionId(id: string | undefined): Client | null {
  if (id === undefined || id.length > MAX_LENGTH) return null;
  try {
    return readClient(JSON.parse(Buffer.from(id.split('.')[1] ?? '', 'base64url').toString('utf8')));
  } catch {
    return null;
  }
}

export interface HttpMessage {
  message: McpMessage;
  /** The headers of the protocol, with lower-case names. */
  headers: Readonly<Record<string, string | undefined>>;
  caller: Omit<Caller, 'client'>;
  /** Aborts when the client no longer waits for the answer. */
  signal: AbortSignal;
}

export interface HttpAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Null if the response has no body. */
  body: McpAnswer | null;
}

/** Answers each message of Streamable HTTP independently, as one JSON document. */
export interface HttpHandler {
  answer(message: HttpMessage): Promise<HttpAnswer>;
  close(): Promise<void>;
}

const ACCEPTED: HttpAnswer = { status: 202, headers: {}, body: null };

/**
 * Serves the protocol over HTTP: revision 2026-07-28, whose requests are self-contained, and those from 2024-10-07 to
 * 2025-11-25, which start with `initialize`. Access has already been checked.
 */
export function createHttpHandler(options: Omit<McpServerOptions, 'caller'>): HttpHandler {
  const calls = createRunningCalls();
  const callers = new WeakMap<Request, Caller>();
  const createServer = ({ requestInfo }: Pick<McpRequestContext, 'requestInfo'>) => {
    const caller = requestInfo && callers.get(requestInfo);
    if (caller === undefined) throw new Error('The message has no caller.');
    return createMcpServer({ ...options, caller });
  };
  const modern = createMcpHandler(createServer, { legacy: 'reject' });

  /** Answers a message of a revision before 2026-07-28. */
  const answerLegacy = async (request: Request, message: McpMessage): Promise<Response> => {
    const server = createServer({ requestInfo: request });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    const close = () => void server.close();
    request.signal.addEventListener('abort', close, { once: true });
    try {
      return await transport.handleRequest(request, { parsedBody: message });
    } finally {
      request.signal.removeEventListener('abort', close);
      close();
    }
  };

  return {
    async answer({ message: sent, headers, caller, signal: gone }) {
      const message = readCall(sent);
      const sessionId = headers['mcp-session-id'];
      const callNameOf = (id: unknown) =>
        sessionId === undefined || id === undefined ? null : JSON.stringify([caller.userId, sessionId, id]);
      if (message.method === 'notifications/cancelled') {
        calls.cancel(callNameOf(message.params?.requestId));
        return ACCEPTED;
      }
      if (message.method === 'subscriptions/listen') {
        const error = { code: ProtocolErrorCode.MethodNotFound, message: 'Change notifications are not supported.' };
        return { status: 404, headers: {}, body: { jsonrpc: '2.0', id: message.id ?? null, error } };
      }
      return calls.run(callNameOf(message.id), gone, async (signal) => {
        const request = toRequest(headers, signal);
        callers.set(request, { ...caller, client: readSessionId(sessionId) });
        const isLegacy = await isLegacyRequest(request, message);
        const answered = isLegacy ? answerLegacy(request, message) : modern.fetch(request, { parsedBody: message });
        const response = await Promise.race([answered, abortOf(signal)]);
        // A cancelled call gets no answer, but its HTTP request still has to end.
        if (response === null) return ACCEPTED;
        const body = await readBody(response);
        const isInitialized = message.method === 'initialize' && body?.result !== undefined;
        const client = readClient(message.params?.clientInfo);
        return {
          status: response.status,
          headers: isInitialized ? { 'mcp-session-id': createSessionId(client) } : {},
          body,
        };
      });
    },
    close: () => modern.close(),
  };
}

/** Builds the request that the SDK expects. Every client gets JSON, regardless of its Accept header. */
function toRequest(headers: HttpMessage['headers'], signal: AbortSignal): Request {
  const sentHeaders = Object.entries(headers).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[0] !== 'mcp-session-id',
  );
  return new Request('http://localhost/api/mcp', {
    method: 'POST',
    headers: {
      ...Object.fromEntries(sentHeaders),
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    signal,
  });
}

async function readBody(response: Response): Promise<McpAnswer | null> {
  const text = await response.text();
  return text === '' ? null : (JSON.parse(text) as McpAnswer);
}

function abortOf(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener('abort', () => resolve(null), { once: true });
  });
}

/** The running calls, so that a later message can cancel one. No other state is kept between messages. */
interface RunningCalls {
  /** Runs work under a name. Both {@link RunningCalls.cancel} and `outer` abort its signal. */
  run<T>(name: string | null, outer: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Cancels all work under a name. */
  cancel(name: string | null): void;
}

function createRunningCalls(): RunningCalls {
  const running = new Map<string, Set<AbortController>>();
  return {
    async run(name, outer, work) {
      if (name === null) return work(outer);
      const controller = new AbortController();
      const same = running.get(name) ?? new Set();
      running.set(name, same.add(controller));
      try {
        return await work(AbortSignal.any([outer, controller.signal]));
      } finally {
        same.delete(controller);
        if (same.size === 0) running.delete(name);
      }
    },
    cancel(name) {
      for (const controller of running.get(name ?? '') ?? []) {
        controller.abort(new Error('The client has cancelled the call.'));
      }
    },
  };
}
