import type { ChangeRun, TagList } from '@recollect/contract';
import { followChange, followUndo } from '@recollect/contract/follow-change';
import { LOCAL_USER, RecollectError } from '@recollect/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.js';

let server: TestServer;
let ids: string[];
beforeEach(async () => {
  server = await startTestServer();
  const { captures } = await server.client('capture', {
    body: {
      captures: [
        { pageText: 'Green tea is steeped', url: 'https://a.example/1', tags: ['tea', 'Drinks'] },
        { pageText: 'Black tea is stronger', url: 'https://b.example/2', tags: ['tea'] },
        { pageText: 'Coffee is roasted', url: 'https://a.example/3', tags: ['coffee'] },
      ],
    },
  });
  ids = captures.map(({ id }) => id);
});
afterEach(() => server.close());

const change = (body: unknown) => server.send('POST', '/api/v1/memories/change', body);
const undo = (id: string) => server.send('POST', `/api/v1/changes/${id}/undo`);
const get = async (id = '') => (await server.send('GET', `/api/v1/memories/${id}`)).body;
const listed = async () => (await server.core.memories.list(LOCAL_USER)).memories.map(({ id }) => id);
/** The field that an answer says is invalid. */
const faultOf = ({ status, body }: { status: number; body: { code: string; errors?: { pointer: string }[] } }) =>
  `${status} ${body.code} ${body.errors?.[0]?.pointer}`;

describe('bulk changes', () => {
  test('MEM-4: changes the tags of memories with the given ids, and undoes it', async () => {
    const answer = await change({
      ids: [...ids, ids[0], 'unknown'],
      addTags: ['new', ' tea '],
      removeTags: ['coffee'],
    });
    expect([answer.status, answer.body]).toEqual([200, { matched: 4, changed: 3, changeId: expect.any(String) }]);
    expect((await Promise.all(ids.map(get))).map(({ tags }) => tags)).toEqual([
      ['tea', 'Drinks', 'new'],
      ['tea', 'new'],
      ['new', 'tea'],
    ]);
    const undone = await undo(answer.body.changeId);
    expect([undone.status, undone.body]).toEqual([200, { changed: 3, skipped: 0, changeId: expect.any(String) }]);
    expect((await Promise.all(ids.map(get))).map(({ tags }) => tags)).toEqual([['tea', 'Drinks'], ['tea'], ['coffee']]);
    const none = await change({ ids, addTags: ['tea'], site: '', query: ' ' });
    expect(none.body).toMatchObject({ matched: 3, changed: 1 });
    expect((await change({ ids, addTags: ['tea'] })).body).toEqual({ matched: 3, changed: 0, changeId: null });
  });

  test('MEM-4: selects by filters, by operators, and with words the first results', async () => {
    expect((await change({ site: 'a.example', addTags: ['x'] })).body).toMatchObject({ matched: 2, changed: 2 });
    expect((await change({ query: 'site:a.example tag:coffee', addTags: ['y'] })).body).toMatchObject({ matched: 1 });
    expect((await change({ query: 'site:b.example', site: 'a.example', addTags: ['z'] })).body.matched).toBe(2);
    const found = await change({ query: 'green tea', limit: 1, addTags: ['first'] });
    expect(found.body).toMatchObject({ matched: 1, changed: 1 });
    expect((await get(ids[0])).tags).toContain('first');
    expect((await change({ by: 'mcp', addTags: ['x'] })).body).toEqual({ matched: 0, changed: 0, changeId: null });
    expect((await change({ by: 'http', addTags: ['x2'] })).body.matched).toBe(3);
  });

  test('MEM-4: a query selects nothing but what a search shows for it, and nothing if it may mean something else', async () => {
    // Every memory is somewhat similar to these words, and none is close.
    expect((await change({ query: 'quantum gravity', delete: true })).body).toMatchObject({ matched: 0 });
    for (const [query, reason] of [
      ['-coffee', 'only what must not occur'],
      ['today -coffee', 'only what must not occur'],
      ['green tea in 2021', 'Nothing from 2021 matched'],
    ]) {
      const refused = await change({ query, delete: true });
      expect([query, faultOf(refused), refused.body.detail]).toEqual([
        query,
        '400 VALIDATION_FAILED /query',
        expect.stringContaining(reason ?? ''),
      ]);
    }
    // A finished word is not the beginning of another one.
    const found = await change({ query: 'te', addTags: ['x'] });
    expect(found.body).toMatchObject({ changed: 0 });
    expect((await listed()).length).toBe(3);
  });

  test('MEM-4, MEM-5: a change of more than 1,000 memories runs in the background, and so does its undo', async () => {
    for (let at = 0; at < 11; at++) {
      const captures = Array.from({ length: 100 }, (_, number) => ({
        pageText: `Page ${at} ${number}`,
        tags: ['many'],
      }));
      await server.core.capture(LOCAL_USER, captures, { embedsLater: true });
    }
    const read = (id: string) => server.client('changeState', { parameters: { id } });
    const seen: number[] = [];
    const options = { read, onProgress: ({ changed }: { changed: number }) => seen.push(changed) };

    const started = await change({ tag: 'many', delete: true });
    expect([started.status, started.body]).toEqual([
      202,
      { changeId: expect.any(String), state: 'running', matched: 1_100, examined: 0, changed: 0, problem: null },
    ]);
    const { changeId } = started.body;
    expect(await followChange(started.body, options)).toEqual({ matched: 1_100, changed: 1_100, changeId });
    expect(seen[0]).toBe(0);
    expect(await read(changeId)).toMatchObject({ state: 'done', examined: 1_100, changed: 1_100 });
    expect(await listed()).toEqual([...ids].reverse());

    const undoing = await undo(changeId);
    expect(undoing.status).toBe(202);
    const undone = await followUndo(undoing.body, options);
    expect(undone).toEqual({ changed: 1_100, skipped: 0, changeId: undoing.body.changeId });
    expect((await change({ tag: 'many', addTags: ['x'], dryRun: true })).body.matched).toBe(1_100);

    const renamed = await server.send('POST', '/api/v1/tags/rename', { tags: ['many'], to: 'lots' });
    expect(renamed.status).toBe(202);
    expect(await followChange(renamed.body, options)).toMatchObject({ matched: 1_100, changed: 1_100 });
  });

  test('MEM-4: a change that the server stops says how many memories it changed', async () => {
    const { bulk, changeRuns } = server.core;
    const many = Array.from({ length: 1_001 }, (_, at) => ids[at] ?? `unknown${at}`);
    const run = await changeRuns.begin(LOCAL_USER, (watch) =>
      bulk.change(LOCAL_USER, { ids: many, delete: true }, null, watch),
    );
    await changeRuns.stop();
    const read = (id: string) => server.client('changeState', { parameters: { id } });
    const changeId = run.changeId ?? '';
    expect(await read(changeId)).toMatchObject({ state: 'stopped', matched: 1_001, examined: 50, changed: 3 });
    await expect(followChange(run as ChangeRun, { read })).rejects.toThrow(
      `The server stopped before the change was complete. 3 memories were changed. Repeat the change for the others, or undo it: its id is ${changeId}.`,
    );
    expect((await undo(changeId)).body).toMatchObject({ changed: 3 });
  });

  test('MEM-4: a change that fails in the background says why, and its error is in the status', async () => {
    const progress = { changeId: 'broken', matched: 1_001, examined: 50, changed: 7 };
    const run = await server.core.changeRuns.begin(LOCAL_USER, async ({ onProgress }) => {
      onProgress?.(progress);
      await Promise.resolve();
      throw new TypeError('secret text');
    });
    expect(run).toMatchObject({ state: 'running' });
    const read = (id: string) => server.client('changeState', { parameters: { id } });
    await expect(followChange(run as ChangeRun, { read })).rejects.toThrow(
      'The change failed for an unexpected reason, which recollect status names. 7 memories were changed.',
    );
    const { errors } = await server.client('status', {});
    expect(errors).toMatchObject([{ operation: 'changeMemories', code: 'INTERNAL', cause: 'TypeError' }]);
    expect(JSON.stringify(errors)).not.toContain('secret');
  });

  test('MEM-4: a change of some batches that fails after the first says how many memories it changed, and its id', async () => {
    const progress = { changeId: 'half', matched: 150, examined: 50, changed: 50 };
    const failing = server.core.changeRuns.begin(LOCAL_USER, async ({ onProgress }) => {
      onProgress?.(progress);
      throw new RecollectError('STORE_BUSY', 'Another process is writing. Nothing was changed. Try again in a moment.');
    });
    await expect(failing).rejects.toMatchObject({
      code: 'STORE_BUSY',
      message:
        'Another process is writing. Before that, 50 of 150 memories were changed. Repeat the change for the others, or undo it: its id is half.',
      extension: { changeId: 'half', changed: 50 },
    });
  });

  test('MEM-4: the state of an earlier change is what its history has, and an unknown one has none', async () => {
    const { body } = await change({ ids, addTags: ['new'] });
    expect((await server.send('GET', `/api/v1/changes/${body.changeId}`)).body).toEqual({
      changeId: body.changeId,
      state: 'ended',
      matched: null,
      examined: 3,
      changed: 3,
      problem: null,
    });
    expect((await server.send('GET', '/api/v1/changes/unknown')).status).toBe(404);
  });

  test('MEM-4: a dry run counts and changes nothing', async () => {
    const before = JSON.stringify(await Promise.all(ids.map(get)));
    for (const what of [{ delete: true }, { addTags: ['x'] }]) {
      const { body } = await change({ site: 'a.example', ...what, dryRun: true });
      expect(body).toEqual({ matched: 2, changed: 0, changeId: null });
    }
    expect(JSON.stringify(await Promise.all(ids.map(get)))).toBe(before);
  });

  test('MEM-4: moves to the trash and back', async () => {
    const { body } = await change({ site: 'a.example', delete: true });
    expect([body.changed, await listed()]).toEqual([2, [ids[1]]]);
    expect((await change({ ids, restore: true })).body).toMatchObject({ matched: 3, changed: 2 });
    expect((await listed()).sort()).toEqual([...ids].sort());
  });

  test('MEM-4: a request that selects or does nothing, or two things, returns 400 and changes nothing', async () => {
    const wrong: [unknown, string][] = [
      [{ delete: true }, '/ids'],
      [{ delete: true, query: ' ', site: '', tag: null }, '/ids'],
      [{ ids: [], delete: true }, '/ids'],
      [{ ids, tag: 'tea', delete: true }, '/ids'],
      [{ restore: true, tag: 'tea' }, '/ids'],
      [{ ids }, ''],
      [{ ids, addTags: [' '] }, ''],
      [{ ids, delete: false }, ''],
      [{ ids, delete: true, addTags: ['x'] }, ''],
      [{ ids, delete: true, restore: true }, ''],
      [{ tga: 'tea', ids, delete: true }, ''],
      [{ site: 'no host!', delete: true }, '/site'],
      [{ by: 'nobody', delete: true }, '/by'],
      [{ since: '2026-02-30', delete: true }, '/since'],
      [{ ids: Array.from({ length: 1_001 }, () => 'x'), delete: true }, '/ids'],
      [{ query: 'tea', limit: 51, delete: true }, '/limit'],
      [{ query: 'before:2025-99', delete: true }, '/query'],
      [{ query: 'tea source:nowhere', delete: true }, '/query'],
      [{ query: 'tea tag:"to read', delete: true }, '/query'],
      [{ query: 'tea tag: drinks', delete: true }, '/query'],
    ];
    for (const [body, pointer] of wrong)
      expect([body, faultOf(await change(body))]).toEqual([body, `400 VALIDATION_FAILED ${pointer}`]);
    expect((await listed()).length).toBe(3);
  });

  test('MEM-4: a memory that would get more than 100 tags keeps its own', async () => {
    const many = Array.from({ length: 99 }, (_, at) => `t${at}`);
    expect((await change({ ids, addTags: many })).body.changed).toBe(2);
    expect((await get(ids[0])).tags).toEqual(['tea', 'Drinks']);
  });
});

describe('history', () => {
  test('MEM-5: names who saved and changed a memory, through which program', async () => {
    const { key } = await server.core.apiKeys.create(LOCAL_USER, { name: 'laptop', scopes: ['memory:write'] });
    const path = `/api/v1/memories/${ids[0]}`;
    await server.send('PATCH', path, { title: 'A' }, { authorization: `Bearer ${key}` });
    await server.send('PATCH', path, { title: 'B' }, { origin: server.address });
    const memory = await get(ids[0]);
    expect(memory.savedBy).toEqual({ client: 'http', name: null, key: null });
    const { status, body } = await server.send('GET', `${path}/history`);
    expect([status, body]).toEqual([
      200,
      {
        history: [
          {
            number: 2,
            changeId: expect.any(String),
            kind: 'edited',
            at: expect.any(String),
            by: by('web', null),
            fields: ['title'],
            before: { title: 'A' },
          },
          {
            number: 1,
            changeId: expect.any(String),
            kind: 'edited',
            at: expect.any(String),
            by: by('http', 'laptop'),
            fields: ['title'],
            before: { title: expect.any(String) },
          },
        ],
        oldest: 0,
      },
    ]);
    const saved = await server.send(
      'POST',
      '/api/v1/capture',
      { pageText: 'x', metadata: { via: 'bookmarklet' } },
      { origin: server.address },
    );
    expect((await get(saved.body.captures[0].id)).savedBy.client).toBe('bookmarklet');
    for (const missing of ['/history', '/related'])
      expect((await server.send('GET', `/api/v1/memories/unknown${missing}`)).status).toBe(404);
  });

  test('MEM-5: changing, restoring and undoing return the id of the change, with which it is undone', async () => {
    const path = `/api/v1/memories/${ids[0]}`;
    const edited = await server.send('PATCH', path, { title: 'A', tags: ['x'] });
    expect(edited.body).toMatchObject({ title: 'A', changeId: expect.any(String) });
    expect((await server.send('PATCH', path, { title: 'A' })).body).toMatchObject({ title: 'A', changeId: null });
    const undone = await undo(edited.body.changeId);
    expect(undone.body).toEqual({ changed: 1, skipped: 0, changeId: expect.any(String) });
    expect((await get(ids[0])).tags).toEqual(['tea', 'Drinks']);
    await undo(undone.body.changeId);
    expect(await get(ids[0])).toMatchObject({ title: 'A', tags: ['x'] });
    expect((await undo(undone.body.changeId)).body).toEqual({ changed: 0, skipped: 1, changeId: null });
    await server.send('DELETE', path);
    const restored = await server.send('POST', `${path}/restore`);
    await undo(restored.body.changeId);
    expect(await listed()).not.toContain(ids[0]);
  });

  test('MEM-5: an unknown change returns 404', async () => {
    for (const id of ['unknown', ids[0] ?? '', '%00']) expect((await undo(id)).status).toBe(404);
  });
});

const by = (client: string, key: string | null) => ({ client, name: null, key });

describe('tags', () => {
  const listed = async (): Promise<TagList['tags']> => (await server.send('GET', '/api/v1/tags')).body.tags;
  const tags = async () => (await listed()).map(({ tag, memories }) => ({ tag, memories }));
  test('MEM-6: lists, renames, merges and removes tags, which can be undone', async () => {
    const before = [
      { tag: 'tea', memories: 2 },
      { tag: 'coffee', memories: 1 },
      { tag: 'Drinks', memories: 1 },
    ];
    expect(await tags()).toEqual(before);
    const merged = await server.send('POST', '/api/v1/tags/rename', { tags: ['tea', 'coffee'], to: ' Drinks ' });
    expect([merged.status, merged.body]).toEqual([200, { matched: 3, changed: 3, changeId: expect.any(String) }]);
    expect(await tags()).toEqual([{ tag: 'Drinks', memories: 3 }]);
    const removed = await server.send('POST', '/api/v1/tags/remove', { tags: ['Drinks', 'unknown'] });
    expect([removed.body.changed, await tags()]).toEqual([3, []]);
    await undo(removed.body.changeId);
    await undo(merged.body.changeId);
    expect(await tags()).toEqual(before);
  });

  test('MEM-6: says when the last memory with a tag was captured', async () => {
    const capturedAt = '2031-05-01T10:00:00.000Z';
    await server.send('POST', '/api/v1/capture', { pageText: 'The newest text.', tags: ['coffee'], capturedAt });
    expect((await listed()).find(({ tag }) => tag === 'coffee')?.newestAt).toBe(capturedAt);
    for (const { newestAt } of await listed()) expect(Date.parse(newestAt)).toBeLessThanOrEqual(Date.parse(capturedAt));
  });

  test('MEM-6: rejects blank and missing names', async () => {
    for (const [path, body] of [
      ['rename', { tags: ['tea'], to: ' ' }],
      ['rename', { tags: [], to: 'x' }],
      ['rename', { tags: ['tea'], to: 'x'.repeat(101) }],
      ['remove', { tags: [] }],
      ['remove', {}],
    ] as const)
      expect([path, body, (await server.send('POST', `/api/v1/tags/${path}`, body)).status]).toEqual([path, body, 400]);
    expect((await tags()).length).toBe(3);
  });
});
