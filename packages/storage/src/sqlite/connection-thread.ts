import { parentPort, workerData } from 'node:worker_threads';
import { askToOpen } from './ask-to-open.js';
import type {
  ConnectionOptions,
  OpenReply,
  ProcedureRequest,
  StatementRequest,
  ThreadReply,
  ThreadRequest,
} from './messages.js';
import { openSession, type Session } from './session.js';
import type { SqliteError } from './sqlite-error.js';

if (parentPort === null) throw new Error('This file runs as a worker thread.');
const port = parentPort;

function serve(session: Session): void {
  const answer = (request: StatementRequest | ProcedureRequest): ThreadReply => {
    const { id } = request;
    try {
      if ('procedure' in request) return { id, returned: session.call(request.procedure, request.args, request) };
      return { id, ...session.run(request, request.lockTimeout, request.before) };
    } catch (error) {
      const { message, code } = error as Error & { code?: string };
      return { id, error: { message, code: code ?? 'ERROR' } };
    }
  };

  port.on('message', (request: ThreadRequest) => {
    if (request !== 'close') {
      port.postMessage(answer(request));
      return;
    }
    session.close();
    port.close();
  });
}

function open(): OpenReply {
  try {
    serve(openSession(workerData as ConnectionOptions));
    return { isOpen: true };
  } catch (error) {
    const { message, code } = error as SqliteError;
    return { isOpen: false, error: { message, code } };
  }
}

askToOpen(port).then((isAllowed) => {
  if (!isAllowed) return port.close();
  const reply = open();
  port.postMessage(reply);
  if (!reply.isOpen) port.close();
});
