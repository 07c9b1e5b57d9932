import { type Core, createCore, LOCAL_USER } from '@recollect/core';
import { createFakeModel } from '@recollect/core/testing';
import { openStorage, type Storage } from '@recollect/storage';
import { afterEach, beforeEach, expect, test } from 'vitest';

let storage: Storage;
let core: Core;

beforeEach(async () => {
  storage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  core = createCore({ ...storage, embeddingModel: createFakeModel() });
});
afterEach(() => storage.close());

const save = async (...captures: Parameters<Core['capture']>[1]) =>
  (await core.capture(LOCAL_USER, captures)).answer.captures.map(({ id }) => id);
const find = async (query: string, limit?: number) => (await core.query(LOCAL_USER, query, { limit })).answer.results;
const url = 'https://news.example/a';

test('QRY-10: the versions of a page are one result, the best of them', async () => {
  const [old = '', fresh = ''] = await save(
    { url, pageText: 'Granite quarries of the north, as they were in summer.' },
    { url: `${url}?utm_source=mail#top`, pageText: 'Granite is mined in the south since autumn.' },
  );
  expect(await find('granite summer quarries')).toMatchObject([{ id: old, versions: 2 }]);
  expect(await find('granite autumn south')).toMatchObject([{ id: fresh, versions: 2, similar: [{ id: old }] }]);
  await core.memories.remove(LOCAL_USER, old);
  expect(await find('granite')).toMatchObject([{ id: fresh, versions: 1 }]);
});

test('QRY-10: of versions that are about as good, the newest is the result, in the place of the best', async () => {
  const rest = 'It is quarried in the north, and shipped along the coast to wherever kerbs are laid.';
  const [old = '', fresh = ''] = await save(
    { url, pageText: `Granite, as of May. ${rest}`, capturedAt: '2026-05-01T00:00:00Z' },
    { url, pageText: `Granite, as of June. ${rest} The port is being dredged.`, capturedAt: '2026-06-01T00:00:00Z' },
    { url: 'https://other.example/', pageText: 'Granite is a rock, of which much else could be said.' },
  );
  const found = await find('granite north coast kerbs');
  expect(found[0]).toMatchObject({ id: fresh, versions: 2, similar: [{ id: old }] });
  expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).sort((a, b) => b - a));
});

test('QRY-10: notes, selections, conversations and other addresses are separate results', async () => {
  const ids = await save(
    { pageText: 'granite note' },
    { pageText: 'another granite note' },
    { url, selection: 'a granite passage' },
    { url, selection: 'another granite passage' },
    { url, messages: [{ role: 'user', text: 'granite question' }] },
    { url, messages: [{ role: 'user', text: 'another granite question' }] },
    { url, pageText: 'granite page' },
    { url: 'https://news.example/b', pageText: 'granite page' },
  );
  const found = await find('granite', 50);
  expect(found.map(({ id }) => id).sort()).toEqual(ids.sort());
  expect(found.every(({ versions }) => versions === 1)).toBe(true);
});

test('QRY-10: the limit is filled although the versions of one page fill the first hits', async () => {
  const versions = Array.from({ length: 180 }, (_, day) => ({ url, pageText: `granite granite granite ${day}` }));
  for (const part of [versions.slice(0, 100), versions.slice(100)]) await save(...part);
  const others = Array.from({ length: 12 }, (_, at) => ({
    url: `https://other.example/${at}`,
    pageText: `One of many words is granite, and the others are about something else entirely ${at}.`,
  }));
  const ids = await save(...others);
  const found = await find('granite', 10);
  expect(found.length).toBe(10);
  expect(new Set(found.map((result) => result.url)).size).toBe(10);
  expect(found.find((result) => result.url === url)).toMatchObject({ versions: 180 });
  expect((await find('granite', 50)).length).toBe(ids.length + 1);
});

test('MEM-11: a page lists its versions, and anything else only itself', async () => {
  const [one = '', two = '', passage = '', note = ''] = await save(
    { url, pageText: 'first', title: 'One', capturedAt: '2026-01-01T00:00:00Z' },
    { url, pageText: 'second text', title: 'Two', capturedAt: '2026-01-02T00:00:00Z' },
    { url, selection: 'a passage' },
    { pageText: 'note' },
  );
  const list = async (id: string) => (await core.memories.versions(LOCAL_USER, id)).versions;
  expect(await list(one)).toEqual([
    { id: two, title: 'Two', capturedAt: '2026-01-02T00:00:00.000Z', characters: 11 },
    { id: one, title: 'One', capturedAt: '2026-01-01T00:00:00.000Z', characters: 5 },
  ]);
  expect((await list(passage)).map(({ id }) => id)).toEqual([passage]);
  expect(await list(note)).toMatchObject([{ id: note, characters: 4 }]);
  await expect(list('unknown')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('QRY-16: texts that are nearly the same are one result, which names the others', async () => {
  const paragraphs = (subject: string) =>
    Array.from(
      { length: 8 },
      (_, at) => `The ${subject} quarry number ${at} was opened by ${subject} masons in year ${at + 1_800}.`,
    );
  const original = {
    url,
    title: 'Quarries',
    pageText: paragraphs('granite').join('\n\n'),
    capturedAt: '2026-01-01T00:00:00.000Z',
  };
  const changed = {
    ...original,
    url: 'https://copy.example/',
    pageText: `${original.pageText}\n\nUpdated: one more quarry was closed.`,
  };
  const other = { url: 'https://slate.example/', title: 'Slate', pageText: paragraphs('slate').join('\n\n') };
  const quoting = {
    url: 'https://blog.example/',
    title: 'My visit',
    pageText: `${paragraphs('granite')[0]} I went there on a rainy day, met the last of the masons, and wrote down what he said about his father.`,
  };
  const ids = await save(original, changed, other, quoting);
  const found = await find('granite quarry masons');
  const kept = found.filter(({ similar }) => similar.length > 0);
  expect(kept).toHaveLength(1);
  expect([kept[0]?.id, ...(kept[0]?.similar.map(({ id }) => id) ?? [])].sort()).toEqual(ids.slice(0, 2).sort());
  expect(kept[0]?.similar[0]?.capturedAt).toBe('2026-01-01T00:00:00.000Z');
  expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(ids.slice(2)));
  expect(found).toHaveLength(3);
});

test('QRY-11: a memory whose title is the query comes first', async () => {
  const [named = ''] = await save(
    { title: 'Router', pageText: 'The password is on a note in the attic, behind the books on gardening.' },
    ...Array.from({ length: 4 }, (_, at) => ({ title: `Guide ${at}`, pageText: `router router router manual ${at}` })),
  );
  for (const query of ['router', '"Router"', ' ROUTER ']) {
    const [first, second] = await find(query);
    expect([query, first?.id]).toEqual([query, named]);
    expect(first?.score).toBeGreaterThan(0.8);
    expect(second?.score).toBeLessThanOrEqual(first?.score ?? 0);
  }
});

test('QRY-11: a memory whose title is the query comes first, however many others say it more often', async () => {
  const [named = '', other = ''] = await save(
    { title: 'Router', pageText: `The password is in the attic. ${'Books on gardening stand there. '.repeat(20)}` },
    {
      title: 'Router',
      pageText: `The key is on the roof. ${'Bees fly over it in spring. '.repeat(20)}`,
      tags: ['roof'],
    },
    ...Array.from({ length: 40 }, (_, at) => ({
      title: `Router router ${at}`,
      pageText: `router router manual ${at}`,
    })),
  );
  for (const limit of [5, 10, 30]) {
    const { answer } = await core.query(LOCAL_USER, 'router', { limit });
    expect([
      limit,
      ...answer.results
        .slice(0, 2)
        .map(({ id }) => id)
        .sort(),
    ]).toEqual([limit, ...[named, other].sort()]);
    expect(new Set(answer.results.map(({ id }) => id)).size).toBe(limit);
  }
  expect((await find('router tag:roof')).map(({ id }) => id)).toEqual([other]);
  expect((await find('router -attic')).map(({ id }) => id)).not.toContain(named);
});

test('MEM-8: related memories are folded as results are', async () => {
  const long =
    'Granite is mined in the north of the country, and the quarries employ many people in every season of the year';
  const [one = ''] = await save({ title: 'One', pageText: `${long}, it is said.` });
  const [copy = ''] = await save({ title: 'A copy of it', pageText: `${long}, it is told.` });
  const [old = '', fresh = ''] = await save(
    { url, pageText: 'Granite mined in the north employs people' },
    { url, pageText: 'Granite quarries of the north employ people' },
  );
  const { related } = await core.memories.related(LOCAL_USER, one, 5);
  const ids = related.map(({ id }) => id);
  expect(ids).not.toContain(copy);
  expect(ids.filter((id) => [old, fresh].includes(id))).toHaveLength(1);
  const ofOld = (await core.memories.related(LOCAL_USER, old, 5)).related.map(({ id }) => id);
  expect(ofOld).not.toContain(fresh);
});
