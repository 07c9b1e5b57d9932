import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { McpAnswer } from '@recollect/contract';
import type { Upstream } from './upstream.js';

/** Milliseconds after which a process that was asked to end is killed. */
const PATIENCE = 10_000;

interface Waiting {
  resolve(answer: McpAnswer | null): void;
  reject(error: Error): void;
}

/**
 * Has messages answered by a process of its own, which opens the store. When it ends, all its memory is free again; a process that
 * merely closed the store and the model would keep most of it.
 *
 * @param isCurrent as in {@link Upstream}
 * @param onOther receives what it sends besides the answers
 */
export function openProcessUpstream(isCurrent: Upstream['isCurrent'], onOther: (message: McpAnswer) => void): Upstream {
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', 'mcp', '--direct'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = new Map<string, Waiting>();
  const ending = Promise.withResolvers<number>();
  let gone: Error | null = null;

  const settle = (id: unknown, settlement: (waiting: Waiting) => void): boolean => {
    const key = JSON.stringify(id);
    const found = waiting.get(key);
    waiting.delete(key);
    if (found !== undefined) settlement(found);
    return found !== undefined;
  };
  createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
    const message = JSON.parse(line) as McpAnswer;
    if (!settle(message.id, ({ resolve }) => resolve(message))) onOther(message);
  });
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
      const answered =
        id === undefined
          ? null
          : new Promise<McpAnswer | null>((resolve, reject) => waiting.set(JSON.stringify(id), { resolve, reject }));
      child.stdin.write(`${JSON.stringify(message)}\n`);
      // A cancelled call gets no answer.
      if (method === 'notifications/cancelled') settle(params?.requestId, ({ resolve }) => resolve(null));
      return answered;
    },
    isCurrent,
    ended: ending.promise,
    async close() {
      const kill = setTimeout(() => child.kill('SIGKILL'), PATIENCE);
      // It answers what it was asked, and ends.
      child.stdin.end();
      await ending.promise;
      clearTimeout(kill);
    },
  };
}
