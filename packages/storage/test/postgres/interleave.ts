import type { Storage } from '@recollect/storage';

type Port = Record<string, (...args: unknown[]) => unknown>;

/** Two open stores of one database as one, whose calls go to them by turns. */
export function interleave(first: Storage, second: Storage): Storage {
  let turn = 0;
  const ports = Object.entries(first).map(([name, port]): [string, unknown] => {
    if (typeof port !== 'object' || port === null) return [name, port];
    const other = second[name as keyof Storage] as unknown as Port;
    const methods = Object.keys(port).map((method) => [
      method,
      (...args: unknown[]) => (turn++ % 2 === 0 ? (port as Port) : other)[method]?.(...args),
    ]);
    return [name, Object.fromEntries(methods)];
  });
  return {
    ...(Object.fromEntries(ports) as unknown as Storage),
    async close() {
      await Promise.all([first.close(), second.close()]);
    },
  };
}
