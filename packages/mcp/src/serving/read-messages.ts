import { PassThrough, type Readable } from 'node:stream';
import { McpMessage, validate } from '@recollect/contract';

/** The longest line, in bytes: more than the longest text that can be saved comes to. */
const LONGEST = 16 * 1024 * 1024;
const LINE_END = 0x0a;

/** A line that is no message: the error of JSON-RPC that it is answered with. `id` is null where none can be read. */
export interface Refusal {
  id: string | number | null;
  code: -32700 | -32600 | -32601;
  message: string;
}

/**
 * Passes on the lines of a stream that are messages of JSON-RPC, and tells of the others; the SDK's transport would leave a client
 * without an answer, and end at a line that is too long. The last line needs no end.
 */
export function readMessages(input: Readable, refuse: (refusal: Refusal) => void): Readable {
  const messages = new PassThrough();
  let parts: Buffer[] = [];
  let length = 0;
  const add = (part: Buffer) => {
    length += part.length;
    if (length <= LONGEST) parts.push(part);
    else parts = [];
  };
  const end = () => {
    const line = Buffer.concat(parts);
    const isTooLong = length > LONGEST;
    parts = [];
    length = 0;
    const refusal = isTooLong
      ? refusalOf(null, -32700, 'This line is longer than 16 MiB.')
      : judge(line.toString('utf8'));
    if (refusal === undefined) messages.write(Buffer.concat([line, Buffer.of(LINE_END)]));
    else if (refusal !== null) refuse(refusal);
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

/** What is wrong with a line; null for one that is blank, undefined for a message. */
function judge(line: string): Refusal | null | undefined {
  if (line.trim() === '') return null;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return refusalOf(null, -32700, 'This line is not valid JSON. Send one message of JSON-RPC 2.0 a line.');
  }
  if (Array.isArray(value)) return refusalOf(null, -32600, 'Send one message a line; batches have left the protocol.');
  const { id, method } = (value ?? {}) as { id?: unknown; method?: unknown };
  // An answer to a request of the server, which sends none.
  if (method === undefined && typeof value === 'object' && value !== null && ('result' in value || 'error' in value))
    return null;
  const [fault] = validate(McpMessage, value);
  if (fault === undefined) return undefined;
  const name = fault.pointer === '' ? 'The message' : fault.pointer.slice(1);
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  return refusalOf(known, -32600, `${name} ${fault.message}.`);
}

function refusalOf(id: Refusal['id'], code: Refusal['code'], message: string): Refusal {
  return { id, code, message };
}
