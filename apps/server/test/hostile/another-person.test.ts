import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../start-test-server.js';
import { arbitraryOf, type Schema } from './arbitrary-of.js';

/** Requests per operation. `LONG=1` is the long form. */
const RUNS = process.env.LONG === '1' ? 100 : 6;

/** A word in everything that the first person has, and a word that finds it. No request has the first one. */
const [SECRET, QUERY] = ['zanzibar', 'bees'];

const PNG = {
  type: 'image/png' as const,
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAUAAAADCAYAAAABbNsX4AAAAIUlEQVR4AWzIsQkAAAwCwWCbFV3RGbUXH745POUeN5oYAAAA//9BasjqAAAABklEQVQDABnkCmZrpifgAAAAAElFTkSuQmCC',
};

interface Described {
  operationId: string;
  parameters: { name: string; in: 'path' | 'query' | 'header'; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

interface Asked {
  method: string;
  path: string;
  described: Described;
}

let server: TestServer;
let operations: Asked[];
/** The first person. */
let ann: string;
/** A key of the second person, a member. */
let key: string;
/** Names of what the first person has, by the beginning of the paths that take them. */
let names: Readonly<Record<string, string>>;
/** Names by the fields of queries and bodies that refer to them. */
let fields: Readonly<Record<string, unknown>>;

beforeAll(async () => {
  server = await startTestServer();
  const { people, apiKeys, capture, memories, bulk, savedSearches, highlights, sessions, pairings, shares } =
    server.core;
  ann = (await people.create({ name: 'Ann', role: 'member' })).id;
  key = (await apiKeys.create((await people.create({ name: 'Bob', role: 'member' })).id, { scopes: ['admin'] })).key;
  const common = { note: SECRET, tags: [SECRET], metadata: { fileName: SECRET } };
  const page = { title: SECRET, url: `https://${SECRET}.example/`, picture: PNG, favicon: PNG };
  const { answer } = await capture(ann, [
    { pageText: `The ${SECRET} of ${QUERY}.`, ...page, ...common },
    { pageText: `Trash of ${SECRET}.`, ...common },
  ]);
  const [id = '', trashed = ''] = answer.captures.map((saved) => saved.id);
  await memories.remove(ann, trashed);
  const { changeId } = await bulk.change(ann, { ids: [id], addTags: [`more ${SECRET}`] });
  const own = await apiKeys.create(ann, { name: SECRET });
  const holder = await apiKeys.authenticate(own.key);
  if (holder === null) throw new Error('Expected a holder.');
  const session = (await sessions.open(holder, SECRET)).session.id;
  const highlight = (await highlights.create(ann, id, { quote: `The ${SECRET}`, note: SECRET })).id;
  const search = (await savedSearches.create(ann, { name: SECRET, query: SECRET })).id;
  const share = (await shares.create(ann, { tag: SECRET, isPublic: true })).id;
  const imported = { id: 'i1', at: '2026-01-31T12:00:00.000Z', name: SECRET, programs: [SECRET], undoId: null };
  await server.storage.imports.save(ann, { ...imported, created: 1, updated: 0 });
  names = {
    '/api/v1/memories/': id,
    '/api/v1/trash/': trashed,
    '/api/v1/api-keys/': own.apiKey.id,
    '/api/v1/saved-searches/': search,
    '/api/v1/shares/': share,
    '/api/v1/shared/': share,
    '/api/v1/highlights/': highlight,
    '/api/v1/sessions/': session,
    '/api/v1/pairings/': (await pairings.create(ann)).pairing.id,
    '/api/v1/people/': ann,
    '/api/v1/changes/': changeId ?? '',
  };
  fields = { id, ids: [id, trashed, highlight], memoryId: id, memory: id, changeId, q: QUERY, query: QUERY };
  operations = await describedOperations();
});
afterAll(() => server.close());

async function describedOperations(): Promise<Asked[]> {
  const { body: document } = await server.send('GET', '/openapi.json');
  const resolve = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(resolve);
    if (typeof node !== 'object' || node === null) return node;
    if ('$ref' in node) return resolve(document.components.schemas[String(node.$ref).split('/').at(-1) ?? '']);
    return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, resolve(value)]));
  };
  return Object.entries(document.paths as Record<string, Record<string, Described>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      method: method.toUpperCase(),
      path,
      described: resolve(described) as Described,
    })),
  );
}

/** Everything that the first person has. */
async function everything(): Promise<unknown> {
  const { records, apiKeys, savedSearches, sessions, pictures, shares, users, imports } = server.storage;
  const selection = { filter: {}, changedSince: null, previousLength: 1_000 };
  const exported: unknown[] = [];
  for await (const record of records.scan(ann, selection)) exported.push(record);
  return {
    records: exported,
    keys: await apiKeys.list(ann),
    sessions: await sessions.list(ann),
    searches: await savedSearches.list(ann),
    shares: await shares.list(ann),
    imports: await imports.list(ann, 10),
    pictures: await pictures.size(ann),
    person: await users.find(ann),
  };
}

/** Puts the names of the first person into the fields that take names. */
function withNames(sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, fields[name] ?? value]));
}

/** All known fields alone, and random values for the others. */
function bodiesOf(schema: Schema): fc.Arbitrary<unknown> {
  const known = Object.keys(schema.properties ?? {}).filter((name) => Object.hasOwn(fields, name));
  const only = Object.fromEntries(known.map((name) => [name, fields[name]]));
  return fc.oneof(fc.constant(only), arbitraryOf(schema).map(withNames));
}

/** The parts of a request that the schemas of an operation describe, with names of the first person. */
function requestsOf({ path, described }: Asked): fc.Arbitrary<{ target: string; body: unknown }> {
  const { operationId, parameters, requestBody } = described;
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const schema = requestBody?.content['application/json']?.schema;
  const name = Object.entries(names).find(([start]) => path.startsWith(start))?.[1] ?? 'x';
  const filled = path.replace(/\{(\w+)\}/g, (_, field: string) =>
    field === 'number' ? '0' : encodeURIComponent(name),
  );
  const query = fc.record(Object.fromEntries(inQuery.map((one) => [one.name, arbitraryOf(one.schema)])), {
    requiredKeys: [],
  });
  const body = schema === undefined ? fc.constant(requestBody === undefined ? undefined : '') : bodiesOf(schema);
  return fc.record({ query: fc.oneof(fc.constant({}), query), body }).map(({ query: chosen, body: sent }) => {
    const values = Object.entries({ ...chosen, ...(operationId === 'queryByGet' ? { q: QUERY } : {}) });
    const search = new URLSearchParams(
      values.map(([field, value]) => [field, typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value)]),
    );
    return { target: `${filled}?${search}`, body: sent };
  });
}

test('SEC-22: no operation shows or changes what another person has', async () => {
  const before = await everything();
  expect(JSON.stringify(before).split(SECRET).length).toBeGreaterThan(12);
  const owned = Object.values(names);
  const accepted = new Set<string>();
  for (const asked of operations) {
    const { operationId, parameters, requestBody } = asked.described;
    const isNamed = Object.keys(names).some((start) => asked.path.startsWith(`${start}{`));
    const sentType = Object.keys(requestBody?.content ?? {})[0] ?? 'application/json';
    await fc.assert(
      fc.asyncProperty(requestsOf(asked), async ({ target, body }) => {
        const sent = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
        const headers = { origin: server.address, authorization: `Bearer ${key}`, 'content-type': sentType };
        // The response to GET would not end.
        const method = operationId === 'events' ? 'HEAD' : asked.method;
        const answer = await server.send(method, target, sent, headers);
        if (answer.status < 400) accepted.add(operationId);
        const shown = JSON.stringify(answer.body);
        const request = `${target} ${sent ?? ''}`;
        expect([operationId, shown.includes(SECRET)]).toEqual([operationId, false]);
        // People see whom they can share with.
        const mayShow = (name: string) => request.includes(name) || (operationId === 'listShares' && name === ann);
        expect(owned.filter((name) => shown.includes(name) && !mayShow(name))).toEqual([]);
        if (isNamed && asked.path.startsWith('/api/'))
          expect([operationId, answer.status >= 400]).toEqual([operationId, true]);
      }),
      { numRuns: RUNS },
    );
    expect([operationId, parameters.length, await everything()]).toEqual([operationId, parameters.length, before]);
  }
  // Most operations do something for the second person.
  expect(accepted.size).toBeGreaterThan(25);
});
