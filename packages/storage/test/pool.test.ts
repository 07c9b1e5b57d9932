import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toConnection } from '../src/sqlite/connection.js';
import { createPool } from '../src/sqlite/pool.js';

const createConnection = () =>
  toConnection({
    run: async () => ({ rows: [] }),
    callWithin: () => async () => ({}) as never,
    close: async () => {},
  });

test('a caller that goes away leaves the queue, and the next caller gets the connection', async () => {
  const { acquire, release } = createPool([createConnection()]);
  const first = await acquire();
  const gone = new AbortController();
  const leaving = acquire(gone.signal);
  const next = acquire();
  gone.abort(new Error('gone'));
  await expect(leaving).rejects.toThrow('gone');
  release(first);
  const second = await next;
  expect(second).toBe(first);
  release(second);
  await expect(acquire(gone.signal)).rejects.toThrow('gone');
  // A caller that goes away while its work runs keeps the connection until the work is done.
  const late = new AbortController();
  const held = await acquire(late.signal);
  late.abort();
  release(held);
  expect(await acquire()).toBe(held);
});

test('a waiting caller gets a new connection, or a connection that is released before the new one is open', async () => {
  const opening: ((connection: ReturnType<typeof createConnection> | null) => void)[] = [];
  const first = createConnection();
  const { acquire, release } = createPool([first], () => new Promise((resolve) => opening.push(resolve)));
  expect(await acquire()).toBe(first);
  expect(opening).toHaveLength(0);
  const second = acquire();
  const third = acquire();
  expect(opening).toHaveLength(1);
  release(first);
  expect(await second).toBe(first);
  const another = createConnection();
  opening[0]?.(another);
  expect(await third).toBe(another);
  // One that cannot be opened is asked for again by the next who waits.
  const fourth = acquire();
  expect(opening).toHaveLength(2);
  opening[1]?.(null);
  await new Promise((resolve) => setImmediate(resolve));
  const fifth = acquire();
  expect(opening).toHaveLength(3);
  release(first);
  release(another);
  expect(await Promise.all([fourth, fifth])).toEqual([first, another]);
});

test('no connection is lost or given twice when any caller goes away', async () => {
  const step = fc.record({ kind: fc.constantFrom('acquire', 'release', 'leave'), which: fc.nat(20) });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 60 }), async (size, steps) => {
      let opened = 1;
      const { acquire, release } = createPool([createConnection()], async () =>
        opened++ < size ? createConnection() : null,
      );
      const callers = new Map<number, AbortController>();
      const held = new Map<number, Awaited<ReturnType<typeof acquire>>>();
      for (const [at, { kind, which }] of steps.entries()) {
        const pick = <T>(map: Map<number, T>) => [...map][which % Math.max(1, map.size)];
        if (kind === 'acquire') {
          const caller = new AbortController();
          callers.set(at, caller);
          acquire(caller.signal).then(
            (connection) => held.set(at, connection),
            () => callers.delete(at),
          );
        } else if (kind === 'leave') pick(callers)?.[1].abort();
        else {
          const [id, connection] = pick(held) ?? [];
          if (id === undefined || connection === undefined) continue;
          held.delete(id);
          callers.delete(id);
          release(connection);
        }
        await new Promise((resolve) => setImmediate(resolve));
        expect(new Set(held.values()).size).toBe(held.size);
        // Nobody waits while a connection is free.
        expect(held.size).toBe(Math.min(size, callers.size));
      }
    }),
    { numRuns: 100 },
  );
});
