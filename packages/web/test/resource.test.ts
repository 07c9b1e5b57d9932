import { expect, test, vi } from 'vitest';

// The client of the operations takes its base URL from the page.
vi.stubGlobal('location', new URL('http://127.0.0.1/'));
vi.stubGlobal('document', { querySelector: () => ({ href: 'http://127.0.0.1/manifest.webmanifest' }) });
const { createResource } = await import('../src/app/state/resource.js');
// Other files in this process must not take it for a page.
Reflect.deleteProperty(globalThis, 'document');

/** Answers that the test gives one by one. */
function requests<T>() {
  const open: { answer: (value: T) => void; fail: (error: Error) => void }[] = [];
  const send = () => new Promise<T>((answer, fail) => void open.push({ answer, fail }));
  return { open, send };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('reads once for all calls that wait, and once more for a call that comes while it reads', async () => {
  const { open, send } = requests<string>();
  const resource = createResource(send);
  const first = [resource.load(), resource.load()];
  await settle();
  expect(open.length).toBe(1);
  const second = [resource.load(), resource.load()];
  open[0]?.answer('one');
  await Promise.all(first);
  expect([resource.value.value, open.length]).toEqual(['one', 2]);
  open[1]?.answer('two');
  await Promise.all(second);
  expect([resource.value.value, open.length]).toEqual(['two', 2]);
});

test('keeps the last value when a read fails, says why, and clears the problem after a success', async () => {
  const { open, send } = requests<string>();
  const resource = createResource(send);
  const load = async (end: (request: (typeof open)[number] | undefined) => void) => {
    const loading = resource.load();
    await settle();
    end(open.at(-1));
    await loading;
    return [resource.value.value, resource.problem.value];
  };
  expect(await load((request) => request?.answer('one'))).toEqual(['one', '']);
  expect(await load((request) => request?.fail(new Error('It broke.')))).toEqual(['one', 'It broke.']);
  expect(await load((request) => request?.answer('two'))).toEqual(['two', '']);
});

test('shows a change while it is sent, and an answer that is older than it is read again', async () => {
  const { open, send } = requests<string>();
  const changes = requests<string>();
  const resource = createResource(send);
  const loading = resource.load();
  await settle();
  open[0]?.answer('old');
  await loading;
  const reload = resource.load();
  await settle();
  const changing = resource.change((value) => `${value}, changed`, changes.send);
  expect(resource.value.value).toBe('old, changed');
  changes.open[0]?.answer('new');
  await changing;
  open[1]?.answer('old');
  await settle();
  expect([resource.value.value, open.length]).toEqual(['new', 3]);
  open[2]?.answer('newer');
  await reload;
  expect(resource.value.value).toBe('newer');
});

test('returns to the value of the server when a change is rejected, even after other reads and changes', async () => {
  const { open, send } = requests<string>();
  const changes = requests<string>();
  const resource = createResource(send);
  const loading = resource.load();
  await settle();
  open[0]?.answer('old');
  await loading;
  const first = resource.change((value) => `${value} a`, changes.send);
  const second = resource.change((value) => `${value} b`, changes.send);
  expect(resource.value.value).toBe('old a b');
  changes.open[0]?.fail(new Error('Rejected.'));
  await expect(first).rejects.toThrow('Rejected.');
  expect(resource.value.value).toBe('old b');
  changes.open[1]?.answer('new');
  await second;
  expect(resource.value.value).toBe('new');
});
