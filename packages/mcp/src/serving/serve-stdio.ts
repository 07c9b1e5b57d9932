import { Buffer } from 'node:buffer';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { isJSONRPCNotification, isJSONRPCRequest } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import { McpMessage, validate } from '@recollect/contract';
import { createMcpServer, type McpServerOptions } from '../create-mcp-server.js';
import { readCall } from './read-call.js';
import { invalid, type LineError, readLines } from './read-lines.js';

/** Larger than any message that is passed on, in bytes. */
const BUFFER = 32 * 1024 * 1024;

export interface StdioOptions extends McpServerOptions {
  input: Readable;
  /** Receives only messages of the protocol. */
  output: Writable;
}

export interface StdioServer {
  /** Resolves when the client has disconnected. */
  ended: Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves the protocol to one client over two streams, one message per line. A client that closes its end after its last
 * request, such as a pipe, still gets its answers.
 */
export function serveStdio({ input, output, ...options }: StdioOptions): StdioServer {
  // The SDK's transport drops running calls when its input ends, so it never sees the end.
  const messages = readMessages(input, ({ id, code, message }) => {
    output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  });
  const transport = new StdioServerTransport(messages, output, { maxBufferSize: BUFFER });
  const { report } = options;
  const server = serve(() => createMcpServer(options), { transport, onerror: report, maxSubscriptions: 0 });
  const unanswered = trackPending(transport);
  const ended = new Promise<void>((resolve) => {
    const gone = () => unanswered.settled().then(resolve);
    input.once('end', gone);
    input.once('close', gone);
    output.once('close', resolve);
    messages.once('close', resolve);
  });
  return { ended, close: () => server.close() };
}

/** Tracks which requests have no answer yet. A cancelled one gets none. */
function trackPending(transport: StdioServerTransport): { settled(): Promise<void> } {
  const waiting = new Set<unknown>();
  let onSettled = () => {};
  const settle = (id: unknown) => {
    waiting.delete(id);
    if (waiting.size === 0) onSettled();
  };
  const { onmessage } = transport;
  const send = transport.send.bind(transport);
  transport.onmessage = (message) => {
    if ('method' in message && 'id' in message) waiting.add(message.id);
    if ('method' in message && message.method === 'notifications/cancelled') settle(message.params?.requestId);
    onmessage?.(message);
  };
  transport.send = async (message) => {
    await send(message);
    if (!('method' in message)) settle(message.id);
  };
  return {
    // The last message reaches the transport in a later turn of the event loop.
    settled: () =>
      new Promise((resolve) => {
        setImmediate(() => {
          onSettled = resolve;
          if (waiting.size === 0) resolve();
        });
      }),
  };
}

/**
 * Passes on the lines of a stream that are JSON-RPC messages, and reports the others. The SDK's transport would leave
 * the client without an answer, and stop at a line that is too long.
 */
export function readMessages(input: Readable, onInvalid: (error: LineError) => void): Readable {
  const messages = new PassThrough();
  readLines(input, {
    onInvalid,
    onMessage(message, line) {
      const [fault] = validate(McpMessage, message);
      if (fault !== undefined) onInvalid(invalid(message.id, fault.pointer, fault.message));
      // The SDK's transport silently drops messages that its schema refuses,
      // such as with a member that JSON-RPC does not have.
      else if (!isOfProtocol(message))
        onInvalid(invalid(message.id, '', 'is not a JSON-RPC 2.0 request or notification'));
      else messages.write(Buffer.concat([lineOf(message, line), Buffer.from('\n')]));
    },
  });
  return messages;
}

/** The line of a message, as {@link readCall} reads it. */
function lineOf(message: McpMessage, line: Uint8Array): Uint8Array {
  const read = readCall(message);
  return read === message ? line : Buffer.from(JSON.stringify(read));
}

/** Whether the SDK's schema accepts a message, which is stricter than ours. */
function isOfProtocol(message: unknown): boolean {
  return isJSONRPCRequest(message) || isJSONRPCNotification(message);
}
