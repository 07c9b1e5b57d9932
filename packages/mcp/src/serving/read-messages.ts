import { Buffer } from 'node:buffer';
import { PassThrough, type Readable } from 'node:stream';
import { isJSONRPCNotification, isJSONRPCRequest } from '@modelcontextprotocol/server';
import { McpMessage, validate } from '@recollect/contract';
import { readCall } from './read-call.js';
import { invalid, type LineError, readLines } from './read-lines.js';

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
