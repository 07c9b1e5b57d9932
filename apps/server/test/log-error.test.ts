import { RecollectError } from '@recollect/core';
import { describe, expect, test, vi } from 'vitest';
import { framesOf } from '../src/report-error.js';
import { startTestServer } from './start-test-server.js';

test('SYS-3, SYS-7: a 500 is logged and shown in the status with its request id, operation and stack, and without stored text', async () => {
  const logged: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => logged.push(String(chunk)) > 0);
  const server = await startTestServer({
    change: (core) => ({
      ...core,
      query: async function searchBroken() {
        throw new RecollectError('RETRIEVAL_FAILED', 'no', { cause: new TypeError('XYZZY\n    at marker (x.js:1:1)') });
      },
    }),
  });
  const { status, body } = await server.send('POST', '/api/v1/capture/query', { query: 'XYZZY' });
  const { errors } = (await server.send('GET', '/api/v1/status')).body;
  await server.close();
  write.mockRestore();
  expect(status).toBe(500);
  const line = JSON.parse(logged.find((text) => text.includes('RETRIEVAL_FAILED')) ?? '');
  expect(line).toMatchObject({
    reqId: body.requestId,
    operation: 'query',
    msg: 'failed: RecollectError RETRIEVAL_FAILED < TypeError',
  });
  expect(line.stack[0]).toMatch(/searchBroken .*\(log-error\.test\.ts:\d+:\d+\)$/);
  expect(line.stack.length).toBeLessThanOrEqual(10);
  expect(errors).toEqual([
    {
      operation: 'query',
      code: 'RETRIEVAL_FAILED',
      cause: 'RecollectError RETRIEVAL_FAILED < TypeError',
      count: 1,
      firstAt: expect.any(String),
      lastAt: expect.any(String),
      requestId: body.requestId,
      frames: line.stack,
    },
  ]);
  expect(JSON.stringify(line)).not.toMatch(/XYZZY|marker|\/work|node_modules|\/src\/|\/dist\//);
});

describe('framesOf', () => {
  const errorWith = (stack: string, message: string) => Object.assign(new Error(message), { stack });

  test('names package and file of a frame', () => {
    const stack = [
      'Error: secret',
      '    at save (file:///home/ann/recollect/packages/core/dist/capture/capture.js:94:20)',
      '    at /home/ann/recollect/node_modules/.pnpm/kysely@0.29.9/node_modules/kysely/dist/kysely.js:1:2',
      '    at async Server.<anonymous> (/home/ann/recollect/apps/server/dist/bind-operation.js:3:4)',
      '    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
    ].join('\n');
    expect(framesOf(errorWith(stack, 'secret'))).toEqual([
      'save (core capture/capture.js:94:20)',
      '<anonymous> (kysely kysely.js:1:2)',
      'async Server.<anonymous> (server bind-operation.js:3:4)',
      'process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
    ]);
  });

  test('leaves out everything if the message is not where it should be', () => {
    expect(framesOf(errorWith('Error: earlier\n    at secret (a.js:1:1)', 'changed since'))).toEqual([]);
  });
});
