import { LOCAL_USER } from '@recollect/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.js';

/** The time of the server, which tests set. */
let now = new Date('2026-03-01T10:00:00Z');
let server: TestServer;
let ids: string[];
beforeAll(async () => {
  server = await startTestServer({ clock: { now: () => now } });
  const { answer } = await server.core.capture(
    LOCAL_USER,
    ['One', 'Two', 'Three'].map((title) => ({ title, pageText: `${title} is read.` })),
  );
  ids = answer.captures.map(({ id }) => id);
  for (const [at, memory] of [0, 0, 0, 0, 1, 2].entries()) {
    now = new Date(Date.UTC(2026, 2, 1, 10, at));
    await server.core.highlights.create(LOCAL_USER, ids[memory] ?? '', { quote: `passage ${at}` });
  }
});
afterAll(() => server.close());

const review = async (search = '?timeZone=UTC') =>
  (await server.send('GET', `/api/v1/highlights/review${search}`)).body.highlights as Record<string, unknown>[];
const quotes = async (search?: string) => (await review(search)).map(({ quote }) => quote);
const decide = (id: unknown, decision: unknown) =>
  server.send('POST', `/api/v1/highlights/${id}/review`, { decision, timeZone: 'UTC' });

test('HLT-6: has no highlights of today, whose day begins in the zone of the request', async () => {
  now = new Date('2026-03-01T23:00:00Z');
  expect(await quotes()).toEqual([]);
  expect(await quotes('?timeZone=Asia/Tokyo')).toHaveLength(5);
  expect((await server.send('GET', '/api/v1/highlights/review?timeZone=Nowhere')).status).toBe(400);
});

test('HLT-6: offers five, spread over memories, and the same ones all day', async () => {
  now = new Date('2026-03-02T08:00:00Z');
  const first = await review();
  // Of the first memory, three are needed for five.
  expect(first.map(({ quote }) => quote)).toEqual(['passage 0', 'passage 1', 'passage 2', 'passage 4', 'passage 5']);
  expect(first.map(({ decision }) => decision)).toEqual([null, null, null, null, null]);
  const { status, body } = await decide(first[0]?.id, 'keep');
  expect([status, body.decision, body.dismissed, body.updatedAt]).toEqual([200, 'keep', false, body.createdAt]);
  await decide(first[1]?.id, 'dismiss');
  await server.core.highlights.create(LOCAL_USER, ids[1] ?? '', { quote: 'made today' });
  now = new Date('2026-03-02T20:00:00Z');
  expect((await review()).map(({ quote, decision }) => [quote, decision])).toEqual([
    ['passage 0', 'keep'],
    ['passage 1', 'dismiss'],
    ['passage 2', null],
    ['passage 4', null],
    ['passage 5', null],
  ]);
});

test('HLT-6: offers what was not decided on first on the next day, and no dismissed highlight', async () => {
  now = new Date('2026-03-03T08:00:00Z');
  expect(await quotes()).toEqual(['passage 2', 'passage 3', 'passage 4', 'passage 5', 'made today']);
  const [dismissed] = (await server.send('GET', '/api/v1/highlights?q=passage+1')).body.highlights;
  expect([dismissed.dismissed, dismissed.reviewedAt]).toEqual([true, '2026-03-02T08:00:00.000Z']);
  expect((await decide(dismissed.id, null)).body).toMatchObject({ decision: null, dismissed: false });
});

test('HLT-6: takes a decision back, and rejects invalid ones', async () => {
  const [one] = await review();
  await decide(one?.id, 'dismiss');
  expect((await decide(one?.id, null)).body).toMatchObject({ decision: null, dismissed: false, reviewedAt: null });
  expect((await decide('unknown', 'keep')).status).toBe(404);
  for (const body of [{}, { decision: 'later' }, { decision: 'keep', note: 'x' }])
    expect((await server.send('POST', `/api/v1/highlights/${one?.id}/review`, body)).status).toBe(400);
});
