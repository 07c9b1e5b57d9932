import { RecollectError } from '@recollect/core';
import { expect, test } from 'vitest';
import { explainFault, isElsewhere } from '../../src/postgres/explain-fault.js';

/** An error of the driver or of the server. */
const fault = (code: string, message = 'secret') => Object.assign(new Error(message), code === '' ? {} : { code });

test('REL-22: each fault of a database has a code, a sentence and a time to try again', () => {
  const cases: [error: Error, code: string, sentence: RegExp, retryAfter: number | null, isElsewhere: boolean][] = [
    [fault('ECONNREFUSED'), 'UNAVAILABLE', /cannot be reached/, 5, true],
    [fault('', 'Connection terminated unexpectedly'), 'UNAVAILABLE', /cannot be reached/, 5, true],
    [fault('57P01'), 'UNAVAILABLE', /cannot be reached/, 5, true],
    [fault('57P03'), 'UNAVAILABLE', /is starting or stopping/, 5, true],
    [fault('53300'), 'UNAVAILABLE', /no free connection/, 5, false],
    [fault('', 'timeout exceeded when trying to connect'), 'UNAVAILABLE', /busy/, 5, false],
    [fault('25006'), 'UNAVAILABLE', /only accepts reads/, 5, true],
    [fault('53200'), 'UNAVAILABLE', /short of memory/, 5, false],
    [fault('57014'), 'UNAVAILABLE', /took too long/, 5, false],
    [fault('40001'), 'STORE_BUSY', /Other changes/, 5, false],
    [fault('53100'), 'STORE_FULL', /no space left/, null, false],
    [fault('58030'), 'UNAVAILABLE', /disk/, 5, false],
  ];
  for (const [error, code, sentence, retryAfter, isElsewhereToo] of cases) {
    const explained = explainFault(error) as RecollectError;
    expect(explained).toBeInstanceOf(RecollectError);
    expect([explained.code, explained.retryAfter, isElsewhere(error)]).toEqual([code, retryAfter, isElsewhereToo]);
    expect(explained.message).toMatch(sentence);
    expect(explained.message).not.toContain('secret');
  }
  const other = fault('XX000');
  expect(explainFault(other)).toBe(other);
});
