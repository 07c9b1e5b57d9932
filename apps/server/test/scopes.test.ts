import { type Operation, type OperationId, operations, type Scope } from '@recollect/contract';
import { LOCAL_USER } from '@recollect/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.js';

const SECRET = 'zanzibar';
/** Fields that a key without `memory:read` may see. No field holds stored text. */
const FIELDS = new Set(
  `id memoryId changeId status state embedding model createdAt updatedAt startedAt finishedAt nextRunAt nextAt warnings
  imported documents chunks embedded embeddingsSkipped captures hooksTriggered
  format found created updated duplicates savedSearches skipped skippedCount failed failedCount isComplete item reason
  programs links otherFiles otherNames dropped
  total withEmbeddings withoutEmbeddings needsReindex missingChunks chunksPerSecond secondsLeft rejected count memories
  latestJob remainingCount processedCount error processed remaining message job queued
  plugins runs jobs slug version title description source sha256 scopes permissions permission allowed observesCaptures
  defaultIntervalMinutes schedule lastRun enabled isOn intervalMinutes configuration configurationSchema events told waiting
  parked suspension since resumeWith jobId pluginSlug trigger result plugin results ok`.split(/\s+/),
);

/** Operations that a key can use which may not read. */
const WITHOUT_READ = Object.entries<Operation>(operations).filter(
  ([, { scope }]) => !['public', 'admin', 'operate', 'any', 'memory:read'].includes(scope),
);

let server: TestServer;
let memoryId: string;
let highlightId: string;
let searchId: string;
let changeId: string;
let names = 0;
beforeAll(async () => {
  server = await startTestServer();
  const page = {
    title: `${SECRET} title`,
    url: `https://${SECRET}.example/`,
    pageText: `${SECRET} text`,
    note: SECRET,
  };
  const saved = await server.send('POST', '/api/v1/capture', { ...page, tags: [SECRET] });
  memoryId = saved.body.captures[0].id;
  const marked = await server.send('POST', `/api/v1/memories/${memoryId}/highlights`, { quote: `${SECRET} text` });
  highlightId = marked.body.id;
  searchId = (await server.send('POST', '/api/v1/saved-searches', { name: SECRET, query: SECRET })).body.id;
  changeId = (await server.send('PATCH', `/api/v1/memories/${memoryId}`, { starred: true })).body.changeId;
});
afterAll(() => server.close());

const keyFor = async (...scopes: Scope[]) => (await server.core.apiKeys.create(LOCAL_USER, { scopes })).key;

/** Fields of a preview with what the client itself has sent. */
const SENT = new Set(['conversations', 'first', 'title', 'url', 'capturedAt']);

/** The names of all fields in a schema. */
function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, items, anyOf = [] } = schema as { properties?: object; items?: unknown; anyOf?: unknown[] };
  return [...Object.keys(properties), ...[...Object.values(properties), items, ...anyOf].flatMap(fieldsOf)];
}

describe('SEC-8: a key without memory:read', () => {
  test.each(WITHOUT_READ)('gets no stored text from %s, by the fields of its answers', (id, operation) => {
    const isKnown = (name: string) => FIELDS.has(name) || (id === 'previewImport' && SENT.has(name));
    for (const [status, schema] of Object.entries(operation.answers).filter(([code]) => Number(code) < 300))
      expect(fieldsOf(operation.withoutRead?.[Number(status)] ?? schema).filter((name) => !isKnown(name))).toEqual([]);
  });

  const bodies: Partial<Record<OperationId, () => [path: string, body?: unknown]>> = {
    capture: () => ['/api/v1/capture', { title: 'x', url: 'https://x.example/', pageText: `${SECRET} text` }],
    updateMemory: () => [`/api/v1/memories/${memoryId}`, {}],
    changeMemories: () => ['/api/v1/memories/change', { ids: [memoryId], star: false }],
    undoChange: () => [`/api/v1/changes/${changeId}/undo`],
    restoreState: () => [`/api/v1/memories/${memoryId}/history/0/restore`],
    renameTags: () => ['/api/v1/tags/rename', { tags: ['none'], to: 'other' }],
    removeTags: () => ['/api/v1/tags/remove', { tags: ['none'] }],
    createHighlight: () => [`/api/v1/memories/${memoryId}/highlights`, { quote: 'x' }],
    updateHighlight: () => [`/api/v1/highlights/${highlightId}`, { note: null }],
    reviewHighlight: () => [`/api/v1/highlights/${highlightId}/review`, { decision: 'keep' }],
    createSavedSearch: () => ['/api/v1/saved-searches', { name: `mine ${++names}`, query: 'x' }],
    updateSavedSearch: () => [`/api/v1/saved-searches/${searchId}`, {}],
    listPlugins: () => ['/api/v1/plugins'],
    reindexState: () => ['/api/v1/reindex'],
  };

  test.each(Object.entries(bodies))('is answered by %s without stored text', async (id, call) => {
    const { method, scope } = operations[id as OperationId];
    const [path, body] = call();
    const key = await keyFor(scope as Scope);
    const answer = await server.send(method, path, body, { authorization: `Bearer ${key}` });
    expect([id, answer.status]).toEqual([id, expect.toSatisfy((status) => status >= 200 && status < 300)]);
    expect(JSON.stringify(answer.body).toLowerCase()).not.toContain(SECRET);
    const whole = await server.send(method, call()[0], call()[1]);
    expect(Object.keys(whole.body)).toEqual(expect.arrayContaining(Object.keys(answer.body)));
  });

  test('gets the whole answer with memory:read as well', async () => {
    const key = await keyFor('memory:write', 'memory:read');
    const { body } = await server.send('PATCH', `/api/v1/memories/${memoryId}`, {}, { authorization: `Bearer ${key}` });
    expect(body.text).toContain(SECRET);
  });

  test('cannot ask which memories have a word, a title or a text', async () => {
    const headers = { authorization: `Bearer ${await keyFor('memory:write')}` };
    const change = (body: object) => server.send('POST', '/api/v1/memories/change', body, headers);
    for (const body of [
      { query: SECRET, star: true, dryRun: true },
      { query: SECRET, star: true },
      { tag: SECRET, star: true },
      { site: `${SECRET}.example`, star: true },
      { starred: true, markAs: 'read' },
      { ids: [memoryId], star: true, dryRun: true },
    ])
      expect([body, (await change(body)).body.code]).toEqual([body, 'SCOPE_MISSING']);
    const guess = { expected: { title: `${SECRET} title` }, starred: true };
    const answer = await server.send('PATCH', `/api/v1/memories/${memoryId}`, guess, headers);
    expect(answer.body.code).toBe('SCOPE_MISSING');
    expect((await change({ ids: [memoryId], star: true })).body).toEqual({ changeId: expect.any(String) });
  });
});
