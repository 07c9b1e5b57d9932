import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Milliseconds after which a request that has stopped arriving is given up, once the server is closing. */
const MAX_SILENCE_MS = 3_000;
const SWEEP_INTERVAL_MS = 500;

interface OpenRequest {
  request: IncomingMessage;
  response: ServerResponse;
}

/** The open requests on the connections of a server. */
export interface OpenRequests {
  /** The requests of a connection that are unanswered or have not arrived completely, oldest first. */
  of(socket: Duplex): OpenRequest[];
  /**
   * Closes each connection as soon as it has no active request. Node itself closes only connections that had a response
   * before: one that never sent anything would delay the shutdown.
   */
  closeIdle(): void;
}

/** Tracks the connections of a server from now on. */
export function trackOpenRequests(server: Server): OpenRequests {
  const sockets = new Map<Socket, Set<OpenRequest>>();
  let isClosing = false;
  /** How many bytes had arrived, and when the last of them was seen. */
  const arrivals = new Map<Socket, { bytes: number; at: number }>();

  const isArriving = (socket: Socket) => {
    const last = arrivals.get(socket);
    const now = performance.now();
    if (last === undefined || socket.bytesRead > last.bytes) {
      arrivals.set(socket, { bytes: socket.bytesRead, at: now });
      return true;
    }
    return now - last.at < MAX_SILENCE_MS;
  };
  const isActive = ({ request, response }: OpenRequest) =>
    !response.writableFinished && (request.complete || isArriving(request.socket));
  const closeIfIdle = (socket: Socket) => {
    const open = sockets.get(socket);
    if (isClosing && open !== undefined && ![...open].some(isActive)) socket.destroySoon();
  };
  const sweep = () => {
    for (const socket of sockets.keys()) closeIfIdle(socket);
  };

  server.on('connection', (socket) => {
    sockets.set(socket, new Set());
    socket.on('close', () => {
      sockets.delete(socket);
      arrivals.delete(socket);
    });
    closeIfIdle(socket);
  });
  server.on('request', (request, response) => {
    const open = sockets.get(request.socket);
    if (open === undefined) return;
    const openRequest = { request, response };
    open.add(openRequest);
    const settle = () => {
      if (request.complete && response.writableFinished) open.delete(openRequest);
      closeIfIdle(request.socket);
    };
    request.on('close', settle);
    response.on('close', settle);
  });

  return {
    of: (socket) => [...(sockets.get(socket as Socket) ?? [])],
    closeIdle() {
      isClosing = true;
      sweep();
      const timer = setInterval(sweep, SWEEP_INTERVAL_MS).unref();
      server.once('close', () => clearInterval(timer));
    },
  };
}
