import type { LoggedError } from '#core/ports/index.js';
import { equal } from './assert.js';
import type { Check } from './harness.js';

function errorAt(second: number, more: Partial<LoggedError> = {}): LoggedError {
  const at = new Date(Date.UTC(2026, 0, 1) + second * 1_000).toISOString();
  const error = { operation: 'query', code: 'INTERNAL', cause: 'TypeError', count: 1, firstAt: at, lastAt: at };
  return { ...error, requestId: `r${second}`, frames: [`search (core query.js:${second}:1)`], ...more };
}

/** Registers the cases for the errors of the server. */
export function checkErrors(check: Check): void {
  check('SYS-7: counts equal errors together, and returns the newest first', async ({ errorLog }) => {
    equal(await errorLog.latest(10), [], 'empty');
    await errorLog.add([errorAt(1), errorAt(2, { operation: 'capture', requestId: null })], 100);
    await errorLog.add([errorAt(3, { count: 4 })], 100);
    equal(
      await errorLog.latest(10),
      [errorAt(3, { count: 5, firstAt: errorAt(1).firstAt }), errorAt(2, { operation: 'capture', requestId: null })],
      'errors',
    );
    equal((await errorLog.latest(1)).length, 1, 'limit');
  });

  check('SYS-7: keeps a limited number of errors, and drops the oldest', async ({ errorLog }) => {
    await errorLog.add(
      Array.from({ length: 20 }, (_, at) => errorAt(at, { cause: `E${at}` })),
      20,
    );
    await errorLog.add([errorAt(20, { cause: 'newest' })], 20);
    const causes = (await errorLog.latest(100)).map(({ cause }) => cause);
    equal([causes.length, causes[0], causes.at(-1)], [20, 'newest', 'E1'], 'kept');
  });
}
