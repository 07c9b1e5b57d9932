import { Buffer } from 'node:buffer';
import { PassThrough, type Readable } from 'node:stream';
import { McpMessage, validate } from '@recollect/contract';
import { invalid, type LineError, readLines } from './read-lines.js';

/**
 * Passes on the lines of a stream that are JSON-RPC messages, and reports the others. The SDK's transport would leave the
 * client without an answer, and stop at a line that is too long.
 */
export function readMessages(input: Readable, onInvalid: (error: LineError) => void): Readable {
  const messages = new PassThrough();
  readLines(input, {
    onInvalid,
    onMessage(message, line) {
      const [fault] = validate(McpMessage, message);
      if (fault === undefined) messages.write(Buffer.concat([line, Buffer.from('\n')]));
      else onInvalid(invalid(message.id, fault.pointer, fault.message));
    },
  });
  return messages;
}
