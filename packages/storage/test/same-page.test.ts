import type { Actor } from '@recollect/contract';
import { type Core, createCore, LOCAL_USER } from '@recollect/core';
import { createFakeClock } from '@recollect/core/testing';
import { openStorage, type Storage } from '@recollect/storage';
import { afterEach, beforeEach, expect, test } from 'vitest';

const HOUR = 3_600_000;
const url = 'https://news.example/a';
const by = (client: Actor['client'] | null): Actor | null =>
  client === null ? null : { client, name: null, key: null };
const words = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `word${from + at}`).join(' ');

const clock = createFakeClock();
let storage: Storage;
let core: Core;
beforeEach(async () => {
  storage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  core = createCore({ ...storage, clock });
});
afterEach(() => storage.close());

const save = async (
  pageText: string,
  client: Actor['client'] | null,
  given: { url?: string; selection?: string } = { url },
) => (await core.capture(LOCAL_USER, [{ pageText, ...given }], { actor: by(client) })).answer.captures[0];

test('CAP-7: a page that another program has just saved with nearly the same text is the same memory', async () => {
  const first = await save(`${words(0, 200)}\n\n![](https://news.example/x.png)`, 'extension');
  // A selection of the page that is saved in between is another memory.
  await save(words(0, 20), 'extension', { url, selection: words(0, 20) });
  const again = await save(`${words(0, 198)} edited`, 'cli', { url: `${url}?utm_source=mail` });
  expect(again).toMatchObject({ id: first?.id, status: 'duplicate' });
  expect((await core.memories.get(LOCAL_USER, first?.id ?? '')).text).toContain('word199');
});

test('CAP-7: if the other memory is gone when the page is stored, the page becomes a separate, undamaged memory', async () => {
  const first = await save(words(0, 200), 'extension');
  const id = first?.id ?? '';
  const find: Storage['memories']['find'] = async (userId, asked) => {
    const found = await storage.memories.find(userId, asked);
    await core.memories.remove(LOCAL_USER, id);
    return found;
  };
  const racing = createCore({ ...storage, clock, memories: { ...storage.memories, find } });
  const { answer } = await racing.capture(LOCAL_USER, [{ pageText: words(0, 198), url }], { actor: by('cli') });
  const again = answer.captures[0];
  expect(again?.status).toBe('created');
  await core.memories.update(LOCAL_USER, again?.id ?? '', { note: 'mine' });
  expect(await core.memories.get(LOCAL_USER, again?.id ?? '')).toMatchObject({ damaged: false, text: words(0, 198) });
});

test('CAP-7, MEM-11: a page that may have changed is a version', async () => {
  const first = await save(words(0, 200), 'extension');
  /** Each is saved next to the first one only. */
  const cases: [string, Actor['client'] | null, Parameters<typeof save>[2]][] = [
    [words(0, 199), 'extension', { url }],
    [words(0, 150), 'cli', { url }],
    [words(0, 198), 'cli', { url: 'https://news.example/b' }],
    [words(0, 197), 'cli', {}],
    [words(0, 196), 'cli', { url, selection: words(0, 196) }],
    [words(0, 195), null, { url }],
  ];
  for (const [text, client, given] of cases) {
    const saved = await save(text, client, given);
    expect([text.length, saved?.status]).toEqual([text.length, 'created']);
    await core.memories.remove(LOCAL_USER, saved?.id ?? '');
  }
  clock.advance(HOUR + 1_000);
  expect(await save(words(0, 199), 'cli')).toMatchObject({ status: 'created' });
  expect((await core.memories.versions(LOCAL_USER, first?.id ?? '')).versions).toHaveLength(2);
});
