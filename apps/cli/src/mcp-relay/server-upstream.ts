import type { McpAnswer, McpMessage } from '@recollect/contract';
import { connectTo } from '../executor/send-request.js';
import type { ServerFile } from '../executor/server-file.js';

import { isRequestId, type Upstream } from './upstream.js';

/**
 * Milliseconds after which a server that has not answered must prove that it is alive. It stops each call itself after
 * ten seconds.
 */
const TIMEOUT_MS = 12_000;

/** JSON-RPC's codes for an invalid message and for an internal error. */
const INVALID_REQUEST = -32600;
const INTERNAL_ERROR = -32603;

/** Where a message names the revision of the protocol, since 2026-07-28. */
const REVISION = 'io.modelcontextprotocol/protocolVersion';
/** Since then, a header repeats this parameter of some methods. */
const REPEATED: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** The part of a problem document that says what is wrong. */
interface Problem {
  status: number;
  detail: string;
  errors?: { pointer: string; message: string }[];
}

/**
 * Has messages answered by a running server, as its owner (SEC-18).
 *
 * @param isRunning whether it still runs
 * @param onRefusal called when the server does not serve assistants
 */
export function openServerUpstream(
  { address, secret }: ServerFile,
  isRunning: () => Promise<boolean>,
  onRefusal: () => void,
): Upstream {
  const { baseUrl, fetch: sendRequest } = connectTo(address);
  const url = new URL('/api/mcp', baseUrl);
  const ending = Promise.withResolvers<number>();
  /** The calls without an answer by their ids, so that the client can cancel them. */
  const running = new Map<string, AbortController>();
  /** The headers that `initialize` has agreed on. */
  let session: Record<string, string> = {};

  const send = async (message: McpMessage, signal: AbortSignal): Promise<McpAnswer | null> => {
    const headers = {
      authorization: `Owner ${secret}`,
      'content-type': 'application/json',
      ...headersOf(message, session),
    };
    const response = await sendRequest(url, { method: 'POST', headers, body: JSON.stringify(message), signal });
    const text = await response.text();
    if (text === '') return null;
    const body = JSON.parse(text) as McpAnswer | Problem;
    if (!('jsonrpc' in body)) return explain(message, body);
    const sessionId = response.headers.get('mcp-session-id');
    if (sessionId !== null) {
      session = { 'mcp-session-id': sessionId, 'mcp-protocol-version': String(body.result?.protocolVersion) };
    }
    return body;
  };

  /** Explains a refusal by the server before the protocol took over. */
  const explain = async ({ id }: McpMessage, { status, detail, errors }: Problem): Promise<McpAnswer | null> => {
    if (status === 404) onRefusal();
    // Another server may run in its place, which does not know its secret.
    if (status === 404 || !(await isRunning())) throw new Error(detail);
    const [fault] = errors ?? [];
    if (id === undefined && fault === undefined) return null;
    const message = fault === undefined ? detail : `${fault.pointer.slice(1) || 'The message'} ${fault.message}.`;
    return {
      jsonrpc: '2.0',
      id: isRequestId(id) ? id : null,
      error: { code: status < 500 ? INVALID_REQUEST : INTERNAL_ERROR, message },
    };
  };

  return {
    async answer(message) {
      const { id, method, params } = message;
      // The server cancels a call whose request breaks off.
      if (method === 'notifications/cancelled') running.get(JSON.stringify(params?.requestId))?.abort();
      if (method === 'notifications/cancelled') return null;
      const call = new AbortController();
      const key = JSON.stringify(id);
      if (id !== undefined) running.set(key, call);
      const frozen = new Error('The server does not answer.');
      const watch = setInterval(async () => {
        if (!(await isRunning().catch(() => false))) call.abort(frozen);
      }, TIMEOUT_MS).unref();
      try {
        return await send(message, call.signal);
      } catch (error) {
        if (call.signal.reason === frozen) throw frozen;
        if (call.signal.aborted) return null;
        throw error;
      } finally {
        clearInterval(watch);
        if (running.get(key) === call) running.delete(key);
      }
    },
    // A request notices that it has ended.
    isCurrent: async () => true,
    ended: ending.promise,
    async close() {
      ending.resolve(0);
    },
  };
}

/** The headers that repeat fields of a message, or, before revision 2026-07-28, the headers of its session. */
function headersOf({ method, params }: McpMessage, session: Readonly<Record<string, string>>): Record<string, string> {
  const revision = (params?._meta as Record<string, unknown> | undefined)?.[REVISION];
  if (typeof revision !== 'string') return session;
  const name = params?.[REPEATED[method] ?? ''];
  return {
    'mcp-protocol-version': encode(revision),
    'mcp-method': encode(method),
    ...(typeof name === 'string' ? { 'mcp-name': encode(name) } : {}),
  };
}

/** Encodes what a header cannot express, as the protocol prescribes. */
function encode(text: string): string {
  if (/^[!-~](?:[ -~]*[!-~])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text)) return text;
  return `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
