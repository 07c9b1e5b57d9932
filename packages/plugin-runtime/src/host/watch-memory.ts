import type { ChildProcess } from 'node:child_process';
import pidusage from 'pidusage';

/** Between two looks, in milliseconds. */
const EVERY = 200;
const MB = 1024 * 1024;

/**
 * Looks at what a process holds while it works. V8's own limit covers its heap alone; buffers lie outside of it. What the
 * process holds before it does anything does not count.
 */
export function watchMemory(child: ChildProcess, limitMb: number, onExcess: () => void) {
  const base = 64 * MB;
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    if (child.pid === undefined) return;
    // One that has ended meanwhile holds nothing.
    const usage = await pidusage(child.pid).catch(() => null);
    if (usage !== null && usage.memory > limitMb * MB + base) onExcess();
  };
  return {
    start() {
      timer ??= setInterval(() => void look(), EVERY);
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}
