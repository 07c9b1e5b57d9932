import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { McpAnswer, McpMessage } from '@recollect/contract';
import { isRequestId, type Upstream } from './upstream.js';

/** Milliseconds after which a process that was asked to end is killed. */
const TIMEOUT_MS = 10_000;

interface Waiting {
  /** As the client calls its request. Two may have the same id, which only the client can tell apart. */
  id: string | number;
  resolve(answer: McpAnswer | null): void;
  reject(error: Error): void;
}

/**
 * Has messages answered by a separate process, which opens the store. When it ends, all its memory is free again; a
 * process that merely closed the store and the model would keep most of it.
 *
 * @param isCurrent as in {@link Upstream}
 * @param onOther receives what it sends besides the answers
 */
export function openProcessUpstream(isCurrent: Upstream['isCurrent'], onOther: (message: McpAnswer) => void): Upstream {
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', 'mcp', '--direct'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = new Map<number, Waiting>();
  let requests = 0;
  const ending = Promise.withResolvers<number>();
  let gone: Error | null = null;

  createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
    const message = JSON.parse(line) as McpAnswer;
    const request = waiting.get(message.id as number);
    if (request === undefined) return onOther(message);
    waiting.delete(message.id as number);
    request.resolve({ ...message, id: request.id });
  });
  const send = (message: McpMessage) => void child.stdin.write(`${JSON.stringify(message)}\n`);
  const end = (exitCode: number | null) => {
    gone ??= new Error('The process has ended.');
    for (const { reject } of waiting.values()) reject(gone);
    waiting.clear();
    ending.resolve(exitCode ?? 1);
  };
  child.once('close', end);
  child.once('error', () => end(null));
  // It may end while it is written to; `close` tells.
  child.stdin.on('error', () => {});

  return {
    async answer(message) {
      if (gone !== null) throw gone;
      const { id, method, params } = message;
      if (method === 'notifications/cancelled') {
        // A cancelled call gets no answer.
        for (const [number, request] of waiting) {
          if (request.id !== params?.requestId) continue;
          waiting.delete(number);
          request.resolve(null);
          send({ ...message, params: { ...params, requestId: number } });
        }
        return null;
      }
      // No answer repeats an invalid id, such as an object.
      if (!isRequestId(id)) {
        send(message);
        return null;
      }
      requests += 1;
      const number = requests;
      const answered = new Promise<McpAnswer | null>((resolve, reject) => waiting.set(number, { id, resolve, reject }));
      send({ ...message, id: number });
      return answered;
    },
    isCurrent,
    ended: ending.promise,
    async close() {
      const kill = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
      // It answers what it was asked, and ends.
      child.stdin.end();
      await ending.promise;
      clearTimeout(kill);
    },
  };
}
