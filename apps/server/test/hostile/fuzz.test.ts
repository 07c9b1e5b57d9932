import { validate } from '@recollect/contract';
import { LOCAL_USER } from '@recollect/core';
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendRaw } from '../raw-request.js';
import { startTestServer, type TestServer } from '../start-test-server.js';
import { almostMatching, arbitraryOf, type Schema } from './arbitrary-of.js';

/** Requests per operation, of each kind. `LONG=1` is the long form. */
const RUNS = process.env.LONG === '1' ? 200 : 10;

interface Described {
  operationId: string;
  parameters: { name: string; in: 'path' | 'query' | 'header'; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: TSchema }> }>;
}

let server: TestServer;
/** Existing names by the beginning of a path, so that requests are not rejected merely for an unknown one. */
let known: Readonly<Record<string, string>>;
let operations: { method: string; path: string; described: Described }[];

/** An image of 5 × 3 pixels. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAUAAAADCAYAAABbNsX4AAAAIUlEQVR4AWzIsQkAAAwCwWCbFV3RGbUXH745POUeN5oYAAAA//9BasjqAAAABklEQVQDABnkCmZrpifgAAAAAElFTkSuQmCC';

beforeAll(async () => {
  server = await startTestServer({ ownerSecret: 'a'.repeat(43) });
  const image = { type: 'image/png', data: PNG } as const;
  const { answer } = await server.core.capture(LOCAL_USER, [
    { pageText: 'something to ask for', url: 'https://a.example/', picture: image, favicon: image },
  ]);
  const id = answer.captures[0]?.id ?? '';
  const [{ apiKey }, kept] = [
    await server.core.apiKeys.create(LOCAL_USER),
    await server.core.apiKeys.create(LOCAL_USER),
  ];
  NAMES.apiKey = kept.key;
  const { code, pairing } = await server.core.pairings.create(LOCAL_USER);
  NAMES.code = code;
  const holder = await server.core.apiKeys.authenticate(kept.key);
  if (holder === null) throw new Error('Expected a holder.');
  const trashed = (await server.core.capture(LOCAL_USER, [{ pageText: 'in the trash' }])).answer.captures[0]?.id ?? '';
  await server.core.memories.remove(LOCAL_USER, trashed);
  const { changeId } = await server.core.bulk.change(LOCAL_USER, { ids: [id], addTags: ['fuzz'] });
  const { id: ann } = await server.core.people.create({ name: 'Ann' });
  const byAnn = await server.core.shares.create(ann, { tag: 'fuzz', personId: LOCAL_USER, mayAdd: true });
  await server.core.shared.add(LOCAL_USER, byAnn.id, id);
  const { id: all } = await server.core.savedSearches.create(LOCAL_USER, { name: 'all', query: 'after:2000-01-01' });
  const published = await server.core.shares.create(LOCAL_USER, {
    savedSearchId: all,
    isPublic: true,
    showsText: true,
  });
  NAMES.memoryId = id;
  known = {
    '/api/v1/shares/': (await server.core.shares.create(LOCAL_USER, { tag: 'fuzz', isPublic: true })).id,
    '/api/v1/shared/': byAnn.id,
    '/public/': published.token ?? '',
    '/api/v1/memories/': id,
    '/api/v1/trash/': trashed,
    '/api/v1/api-keys/': apiKey.id,
    '/api/v1/saved-searches/': (await server.core.savedSearches.create(LOCAL_USER, { name: 'kept', query: 'x' })).id,
    // The other one is deleted before this operation has its turn.
    '/api/v1/highlights/{id}/review': (await server.core.highlights.create(LOCAL_USER, id, { quote: 'seen' })).id,
    '/api/v1/highlights/': (await server.core.highlights.create(LOCAL_USER, id, { quote: 'something' })).id,
    '/api/v1/sessions/': (await server.core.sessions.open(holder, 'x')).session.id,
    '/api/v1/pairings/': pairing.id,
    '/api/v1/people/': (await server.core.people.create({ name: 'Ann' })).id,
    '/api/v1/changes/': changeId ?? '',
    '/docs/{folder}/': 'terminal',
    '/docs/': 'security',
    '/assets/': 'icon.svg',
    '/settings/': 'connect',
  };
  const { body: document } = await server.send('GET', '/openapi.json');
  const resolve = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(resolve);
    if (typeof node !== 'object' || node === null) return node;
    if ('$ref' in node) return document.components.schemas[String(node.$ref).split('/').at(-1) ?? ''];
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolve(value)]));
  };
  operations = Object.entries(document.paths as Record<string, Record<string, Described>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      method: method.toUpperCase(),
      path,
      described: resolve(described) as Described,
    })),
  );
});
afterAll(() => server.close());

/**
 * Sends values that `make` generates from the schemas to every operation. The OpenAPI document must describe each
 * response. An operation that rejected every request of a round gets another round. Returns how many requests each
 * operation accepted.
 */
async function fuzz(make: (schema: Schema) => fc.Arbitrary<unknown>, mostRounds = 1): Promise<Map<string, number>> {
  const accepted = new Map<string, number>();
  for (const { method, path, described } of operations) {
    await server.core.plugins.install(LOCAL_USER, { slug: 'counter' }).catch(() => {});
    const { operationId, parameters, requestBody } = described;
    const fields = (place: string, options: { requiredKeys?: never[] }) =>
      fc.record(
        Object.fromEntries(
          parameters.filter((parameter) => parameter.in === place).map(({ name, schema }) => [name, make(schema)]),
        ),
        options,
      );
    const query = orSparse(fields('query', { requiredKeys: [] }));
    const schema = Object.values(requestBody?.content ?? {})[0]?.schema;
    const [sentType] = Object.keys(requestBody?.content ?? {});
    const isText = sentType !== undefined && sentType !== 'application/json';
    const isOurs = isText && make === arbitraryOf;
    const body =
      schema === undefined
        ? fc.constant(undefined)
        : isOurs
          ? fc.constantFrom(EXPORT, `${EXPORT}x`, BOOKMARKS, 'x')
          : orSparse(make(schema), schema.required);
    const name = Object.entries(known).find(([start]) => path.startsWith(start))?.[1] ?? '';
    const id = fc.option(fc.constant(name), { nil: undefined });
    const describesAnswers = fc.asyncProperty(
      fields('path', {}),
      id,
      query,
      body,
      async (inPath, existingId, inQuery, sent) => {
        const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
          segmentOf(existingName(name, existingId) ?? asText(inPath[name])),
        );
        const search = new URLSearchParams(
          Object.entries({
            ...(operationId === 'queryByGet' ? { q: 'something' } : {}),
            ...(existingId === undefined ? inQuery : withExistingNames(inQuery)),
          })
            // An address cannot express null.
            .flatMap(([name, value]) => (value === null ? [] : [[name, asText(value)]])),
        );
        const answer = await server.send(
          // The response to GET would not end.
          operationId === 'events' ? 'head' : method,
          `${filled}?${search}`,
          sent === undefined || isText
            ? sent
            : JSON.stringify(withOneMeaning(operationId, existingId === undefined ? sent : withExistingNames(sent))),
          { origin: server.address, ...(isText ? { 'content-type': sentType } : {}) },
        );
        check(described, answer);
        if (answer.status < 400) accepted.set(operationId, (accepted.get(operationId) ?? 0) + 1);
      },
    );
    let rounds = 0;
    do await fc.assert(describesAnswers, { numRuns: RUNS });
    while (++rounds < mostRounds && !accepted.has(operationId));
  }
  return accepted;
}

function check(
  { operationId, responses }: Described,
  answer: { status: number; headers: Headers; body: unknown },
): void {
  const { status, headers, body } = answer;
  const documented = responses[String(status)];
  expect([operationId, status, documented !== undefined, status < 500]).toEqual([operationId, status, true, true]);
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  const content = documented?.content;
  const types = content === undefined ? [''] : Object.keys(content).map((name) => name.split(';')[0] ?? '');
  if (!types.includes('*/*'))
    expect([operationId, status, types]).toEqual([operationId, status, expect.arrayContaining([type])]);
  if (content?.[type] !== undefined) {
    expect([operationId, status, validate(content[type].schema, body)]).toEqual([operationId, status, []]);
  }
}

/**
 * A cursor or a date among many fields nearly always rejects the whole request: half of the objects keep their required
 * fields and one other at most.
 */
function orSparse<T>(values: fc.Arbitrary<T>, required: readonly string[] = []): fc.Arbitrary<T> {
  const sparse = fc.tuple(values, fc.nat()).map(([value, pick]) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const optional = Object.keys(value).filter((name) => !required.includes(name));
    const kept = optional[pick % (optional.length + 1)];
    return Object.fromEntries(Object.entries(value).filter(([name]) => required.includes(name) || name === kept)) as T;
  });
  return fc.oneof(values, sparse);
}

/** An export without memories. */
const EXPORT =
  '{"recollect":"export","schema":1,"program":"0","exportedAt":"2026-01-31T12:00:00Z"}\n{"recollect":"end","memories":0}\n';

/** Bookmarks of a browser. */
const BOOKMARKS = '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p><DT><A HREF="https://b.example/">A page</A></DL>';

/** Values that exist, by the field that refers to them. */
const NAMES: Record<string, unknown> = { slug: 'counter', jobId: 'count', config: {} };

function existingName(name: string, existingId: string | undefined): string | undefined {
  if (existingId !== undefined && name === 'number') return '0';
  if (existingId !== undefined && name === 'folder') return 'getting-started';
  if (existingId !== undefined && name === 'personId') return LOCAL_USER;
  if (existingId !== undefined && name === 'memoryId') return String(NAMES.memoryId);
  return existingId !== undefined && name === 'slug' ? 'counter' : existingId;
}

/**
 * Encodes a value as a path segment. `fetch` removes `.` and `..` from an address, so they would reach another
 * operation; the last test sends them.
 */
function segmentOf(value: string): string {
  return /^\.{0,2}$/.test(value) ? '%20' : encodeURIComponent(value);
}

/** Fills in the names of an existing plugin and job. */
function withExistingNames(sent: unknown): object {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent as object;
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, NAMES[name] ?? value]));
}

/** Fields that random values nearly always lack, or that exclude each other. */
function withOneMeaning(operationId: string, sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null) return sent;
  if (operationId === 'query') return { query: 'something', ...sent };
  if (operationId === 'createShare') return { tag: 'fuzz', isPublic: true, ...sent };
  const { addTags, removeTags, dryRun } = sent as Record<string, unknown>;
  if (operationId !== 'changeMemories' || (addTags === undefined && removeTags === undefined)) return sent;
  return { ids: ['unknown'], addTags, removeTags, dryRun };
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : String(JSON.stringify(value));
}

/**
 * The store is in memory, so it has no backups and no choice of models. Nothing here can make a passkey, or gets pages
 * from other sites.
 */
const UNANSWERED = [
  'createBackup',
  'downloadBackup',
  'previewRestore',
  'restoreBackup',
  'chooseModel',
  'openInvitation',
  'acceptInvitation',
  'passkeyChallenge',
  'signInWithPasskey',
  'startSignIn',
  'finishSignIn',
  'endProviderSession',
  'startFetch',
  'fetchState',
  'changeFetch',
];

test('SYS-2, SYS-3: answers valid input as documented, and every operation accepts some of it', async () => {
  const accepted = await fuzz(arbitraryOf, 20);
  const counts = operations
    .filter(({ described }) => !UNANSWERED.includes(described.operationId))
    .map(({ described }) => [described.operationId, accepted.get(described.operationId) ?? 0] as const);
  expect(counts.filter(([, count]) => count === 0)).toEqual([]);
});

test('SYS-2, SYS-3, SEC-11: answers invalid input as documented', () => fuzz(almostMatching));

/** Bodies without which an operation would not look at the name. */
const BODIES: Readonly<Record<string, string>> = {
  updateMemory: '{"tags":[]}',
  changePerson: '{"name":"x"}',
  createHighlight: '{"quote":"x"}',
  updateHighlight: '{"note":null}',
  reviewHighlight: '{"decision":"keep"}',
  updateSavedSearch: '{"name":"x"}',
  addToShared: '{"memoryId":"x"}',
  changeFetch: '{"state":"paused"}',
};

test('SYS-2: returns 404 for dots in place of a name, from a client that does not normalise addresses', async () => {
  // The pages of the web app are the same for every id.
  const isPage = (id: string) => ['memoryPage', 'sharedCollectionPage', 'sharedMemoryPage'].includes(id);
  const asking = operations.filter(({ path, described }) => path.includes('{') && !isPage(described.operationId));
  const answers = new Set<string>();
  for (const { method, path, described } of asking) {
    const body = BODIES[described.operationId] ?? '';
    for (const dots of ['.', '..', '%2e', '%2E%2e']) {
      const head = [
        `${method} ${path.replace(/\{\w+\}/, dots)} HTTP/1.1`,
        `Host: 127.0.0.1:${server.port}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        'Connection: close',
      ];
      const { status } = await sendRaw(server.port, `${head.join('\n')}\n\n`, body);
      answers.add(`${described.operationId} ${status}`);
    }
  }
  expect([...answers]).toEqual(asking.map(({ described }) => `${described.operationId} 404`));
});
