import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import { createMcpServer, type McpServerOptions } from '../create-mcp-server.js';
import { readMessages } from './read-messages.js';

/** More than a message that is passed on can have. */
const BUFFER = 32 * 1024 * 1024;

export interface StdioOptions extends McpServerOptions {
  input: Readable;
  /** Nothing but messages of the protocol is written there. */
  output: Writable;
}

export interface StdioServer {
  /** Settles when the client has gone. */
  ended: Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves the protocol to the one client at the other end of two streams, a message a line. A client that has asked and then
 * closes its end, such as a pipe, still gets its answers.
 */
export function serveStdio({ input, output, ...options }: StdioOptions): StdioServer {
  // The SDK's transport drops what is at work when its input ends, so that end is kept from it.
  const messages = readMessages(input, ({ id, code, message }) => {
    output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  });
  const transport = new StdioServerTransport(messages, output, { maxBufferSize: BUFFER });
  const { report } = options;
  const server = serve(() => createMcpServer(options), { transport, onerror: report, maxSubscriptions: 0 });
  const unanswered = watchUnanswered(transport);
  const ended = new Promise<void>((resolve) => {
    const gone = () => unanswered.settled().then(resolve);
    input.once('end', gone);
    input.once('close', gone);
    output.once('close', resolve);
    messages.once('close', resolve);
  });
  return { ended, close: () => server.close() };
}

/** Keeps an eye on which requests have no answer yet. A cancelled one gets none. */
function watchUnanswered(transport: StdioServerTransport): { settled(): Promise<void> } {
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
    // What was read last reaches the transport in a later turn.
    settled: () =>
      new Promise((resolve) => {
        setImmediate(() => {
          onSettled = resolve;
          if (waiting.size === 0) resolve();
        });
      }),
  };
}
