import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

export interface RawAnswer {
  status: number;
  /** Status line and headers. */
  head: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any;
}

/** Sends bytes as they are, over a connection of their own, and reads until the server hangs up. Line ends become CR LF in the head alone. */
export async function sendRaw(port: number, head: string, body: string | Uint8Array = ''): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1');
  // A server that has refused a request may hang up before all of it has arrived.
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
  // A body in chunks has their lengths between.
  const json = isJson ? body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1) : '';
  return { status: Number(head.split(' ')[1]), head, body: json === '' ? {} : JSON.parse(json) };
}
