import { PassThrough, type Readable } from 'node:stream';
import { McpMessage, validate } from '@recollect/contract';

/** The longest line, in bytes: more than the longest text that can be saved needs. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const LINE_END = 0x0a;

/** The JSON-RPC error for a line that is not a message. `id` is null if the line has no readable one. */
export interface LineError {
  id: string | number | null;
  code: -32700 | -32600 | -32601;
  message: string;
}

/**
 * Passes on the lines of a stream that are JSON-RPC messages, and reports the others. The SDK's transport would leave the
 * client without an answer, and stop at a line that is too long. The last line needs no line feed.
 */
export function readMessages(input: Readable, onInvalid: (refusal: LineError) => void): Readable {
  const messages = new PassThrough();
  let parts: Buffer[] = [];
  let length = 0;
  const add = (part: Buffer) => {
    length += part.length;
    if (length <= MAX_LINE_BYTES) parts.push(part);
    else parts = [];
  };
  const end = () => {
    const line = Buffer.concat(parts);
    const isTooLong = length > MAX_LINE_BYTES;
    parts = [];
    length = 0;
    const refusal = isTooLong
      ? lineError(null, -32700, 'This line is longer than 16 MiB.')
      : validateLine(line.toString('utf8'));
    if (refusal === undefined) messages.write(Buffer.concat([line, Buffer.of(LINE_END)]));
    else if (refusal !== null) onInvalid(refusal);
  };
  input.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, start)) {
      add(chunk.subarray(start, at));
      end();
      start = at + 1;
    }
    add(chunk.subarray(start));
  });
  input.once('end', end);
  return messages;
}

/** What is wrong with a line; null for one to ignore, undefined for a message. */
function validateLine(line: string): LineError | null | undefined {
  if (line.trim() === '') return null;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return lineError(null, -32700, 'This line is not valid JSON. Send one JSON-RPC 2.0 message per line.');
  }
  if (Array.isArray(value)) return lineError(null, -32600, 'Send one message per line; the protocol dropped batches.');
  const { id, method } = (value ?? {}) as { id?: unknown; method?: unknown };
  // A response, although the server sends no requests.
  if (method === undefined && typeof value === 'object' && value !== null && ('result' in value || 'error' in value))
    return null;
  const [fault] = validate(McpMessage, value);
  if (fault === undefined) return undefined;
  const name = fault.pointer === '' ? 'The message' : fault.pointer.slice(1);
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  return lineError(known, -32600, `${name} ${fault.message}.`);
}

function lineError(id: LineError['id'], code: LineError['code'], message: string): LineError {
  return { id, code, message };
}
