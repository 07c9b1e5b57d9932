import type { Readable } from 'node:stream';
import type { McpMessage } from '@recollect/contract';

/** The longest line, in bytes: more than the longest text that can be saved needs. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;
const LINE_END = 0x0a;

/** The JSON-RPC error for a line that is not a message. `id` is null if the line has no readable one. */
export interface LineError {
  id: string | number | null;
  code: -32700 | -32600 | -32601;
  message: string;
}

export interface LineHandlers {
  /** Receives an object of JSON that asks for something, whether or not it is valid. */
  onMessage(message: McpMessage, line: Buffer): void;
  onInvalid(error: LineError): void;
}

/**
 * Splits a stream into lines, one JSON-RPC message per line. Blank lines are ignored. The last line needs no line feed.
 */
export function readLines(input: Readable, { onMessage, onInvalid }: LineHandlers): void {
  let parts: Buffer[] = [];
  let length = 0;
  /** The id of a line that is too long. */
  let id: LineError['id'] = null;
  const add = (part: Buffer) => {
    length += part.length;
    parts.push(part);
    if (length <= MAX_LINE_BYTES) return;
    id ??= idIn(parts);
    parts = [];
  };
  const end = () => {
    const line = Buffer.concat(parts);
    const [isTooLong, knownId] = [length > MAX_LINE_BYTES, id];
    parts = [];
    length = 0;
    id = null;
    if (isTooLong) return onInvalid(lineError(knownId, -32700, 'This line is longer than 16 MiB.'));
    const read = parseLine(line.toString('utf8'));
    if (read === null) return;
    if ('error' in read) onInvalid(read.error);
    else onMessage(read.message, line);
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
}

/** Bytes in which the id of a message is looked for. */
const HEAD = 1_024;
/** An id before anything that the message contains. */
const ID = /^\s*\{[^{[]*?"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*[,}]/;

/** The id that stands at the beginning of a line; null if none does. */
function idIn(parts: readonly Buffer[]): LineError['id'] {
  const [, id] = ID.exec(Buffer.concat(parts.map((part) => part.subarray(0, HEAD))).toString('utf8', 0, HEAD)) ?? [];
  try {
    return id === undefined ? null : (JSON.parse(id) as string | number);
  } catch {
    return null;
  }
}

/** Reads a line; null for one to ignore: a blank one, or a response, although the server sends no requests. */
function parseLine(line: string): { message: McpMessage } | { error: LineError } | null {
  if (line.trim() === '') return null;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { error: lineError(null, -32700, 'This line is not valid JSON. Send one JSON-RPC 2.0 message per line.') };
  }
  if (Array.isArray(value)) {
    return { error: lineError(null, -32600, 'Send one message per line; the protocol dropped batches.') };
  }
  if (typeof value !== 'object' || value === null) return { error: invalid(null, '', 'must be of type object') };
  if (!('method' in value) && ('result' in value || 'error' in value)) return null;
  return { message: value as McpMessage };
}

/** The error for a message with a fault at a JSON pointer. */
export function invalid(id: unknown, pointer: string, fault: string): LineError {
  const name = pointer === '' ? 'The message' : pointer.slice(1);
  const requestId = typeof id === 'string' || typeof id === 'number' ? id : null;
  return lineError(requestId, -32600, `${name} ${fault}.`);
}

function lineError(id: LineError['id'], code: LineError['code'], message: string): LineError {
  return { id, code, message };
}
