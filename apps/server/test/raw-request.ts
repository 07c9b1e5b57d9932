import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

export interface RawAnswer {
  status: number;
  /** Status line and headers. */
  head: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any;
}

/**
 * Sends bytes unchanged over a new connection, and reads until the server closes it. Only in the head, line ends become
 * CR LF.
 */
export async function sendRaw(port: number, head: string, body: string | Uint8Array = ''): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1');
  // A server that rejects a request may close the connection before all of it has arrived.
  socket.on('error', () => {});
  socket.write(head.replaceAll('\n', '\r\n'), 'latin1');
  if (body.length > 0) socket.write(body);
  const answer = await text(socket).catch(() => '');
  return parse(answer);
}

function parse(answer: string): RawAnswer {
  const end = answer.indexOf('\r\n\r\n');
  const head = answer.slice(0, end);
  const body = answer.slice(end + 4);
  const isJson = /content-type: application\/(?:problem\+)?json/i.test(head);
  // A chunked body contains the lengths of its chunks.
  const json = isJson ? body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1) : '';
  return { status: Number(head.split(' ')[1]), head, body: json === '' ? {} : JSON.parse(json) };
}
