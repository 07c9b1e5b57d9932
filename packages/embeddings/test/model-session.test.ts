import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

test('a process with no other work waits until the thread has ended, even during a computation', async () => {
  const [session, thread] = ['../dist/model-session.js', './fixtures/slow-thread.mjs'].map((path) =>
    JSON.stringify(new URL(path, import.meta.url)),
  );
  const program = `import(${session}).then(async ({ openSession }) => {
    const { compute, end } = openSession(new URL(${thread}), {});
    const computed = compute('one text');
    await end();
    console.log((await computed).vector.length);
  });`;
  expect(await run(process.execPath, ['-e', program])).toEqual({ stdout: '2\n', stderr: '' });
});
