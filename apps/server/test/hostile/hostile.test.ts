import { type Operation, type OperationId, operations } from '@recollect/contract';
import { createApiKey, LOCAL_USER } from '@recollect/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RawAnswer, sendRaw } from '../raw-request.js';
import { createSeedData, type SeedData, takeSnapshot } from '../snapshot.js';
import { startTestServer, type TestServer } from '../start-test-server.js';
import { type Attack, bodies, credentials, framing, hosts, origins, type Wire, writes } from './attacks.js';
import { hostileValues } from './hostile-values.js';

/** Milliseconds within which even a hostile request must be answered: a promise about a machine that is not busy. */
const TIME_LIMIT = process.env.LONG === '1' ? 100 : Number.POSITIVE_INFINITY;

let server: TestServer;
let seedData: SeedData;
let before: string;
/** Headers of a page that is signed in; null while requests are served for the local user. */
let page: { read: [string, string][]; write: [string, string][] } | null = null;

afterEach(() => server?.close());

async function start(isSignedIn: boolean): Promise<void> {
  server = await startTestServer({ policy: { auth: isSignedIn ? 'required' : 'optional' } });
  seedData = await createSeedData(server.core, 'What was there before.');
  page = isSignedIn ? await signIn() : null;
  before = await state();
}

async function signIn(): Promise<typeof page> {
  const { key } = await server.core.apiKeys.create(LOCAL_USER, { scopes: ['admin'] });
  const { status, headers } = await server.send('POST', '/api/v1/session', { apiKey: key }, { origin: server.address });
  expect(status).toBe(200);
  const cookie: [string, string] = ['Cookie', headers.get('set-cookie')?.split(';')[0] ?? ''];
  return { read: [cookie, ['Recollect-Page', '1']], write: [cookie, ['Origin', server.address]] };
}

const state = () => takeSnapshot(server.core, seedData);

/** A request to an operation that passes the gate and would have an effect. */
function wireOf(operation: Operation): Wire {
  const { keptId, trashedId, highlightId, savedSearchId } = seedData;
  const isOf = (kind: string) => operation.path.startsWith(`/api/v1/${kind}/`);
  const isOfTrash = operation.path.endsWith('{id}/restore') || operation.path === '/api/v1/trash/{id}';
  const id = isOf('highlights') ? highlightId : isOf('saved-searches') ? savedSearchId : isOfTrash ? trashedId : keptId;
  const names: Record<string, string> = {
    id,
    number: '0',
    folder: 'getting-started',
    page: 'security',
    slug: 'counter',
    file: 'icon.svg',
    section: 'connect',
    token: 'x',
    personId: LOCAL_USER,
    memoryId: keptId,
    name: 'x',
  };
  return {
    method: operation.method,
    target: operation.path.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? ''),
    headers: [
      ['Host', `127.0.0.1:${server.port}`],
      ...(page === null ? [] : writes(operation) ? page.write : page.read),
      ...(writes(operation)
        ? [['Content-Type', operation.consumes?.[0] ?? 'application/json'] as [string, string]]
        : []),
    ],
    body: writes(operation) ? bodyOf(operation) : '',
  };
}

/** A body that would have an effect. */
function bodyOf({ method, path }: Operation): string {
  if (path === operations.import.path) return seedData.exported;
  const bodies: Record<string, unknown> = {
    [operations.changeMemories.path]: { ids: [seedData.keptId], delete: true },
    [operations.renameTags.path]: { tags: ['there'], to: 'attacked' },
    [operations.removeTags.path]: { tags: ['there'] },
    [operations.emptyTrash.path]: {},
    [operations.createHighlight.path]: { quote: 'attacked' },
    [operations.updateHighlight.path]: { note: 'attacked' },
    [operations.createSavedSearch.path]: { name: 'attacked', query: 'x' },
    [operations.updateSavedSearch.path]: { query: 'attacked' },
    [operations.createShare.path]: { tag: 'there', isPublic: true },
    [operations.addToShared.path]: { memoryId: seedData.keptId },
    [operations.getMemory.path]: { title: 'attacked' },
  };
  return method === 'PATCH' || method === 'POST' ? JSON.stringify(bodies[path] ?? COMMON_BODY) : '{}';
}

const COMMON_BODY = {
  pageText: 'stored by an attack',
  query: 'tea',
  urls: ['https://a.example'],
  action: 'run-job',
  slug: 'counter',
  jobId: 'count',
};

function transmit({ method, target, headers, body }: Wire): Promise<RawAnswer> {
  const length = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name)) || body.length === 0;
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(length ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    'Connection: close',
  ];
  return sendRaw(server.port, `${lines.join('\n')}\n\n`, body);
}

/** The short form sends one in so many attacks to each operation, and others to the next one. */
const SHARE = process.env.LONG === '1' ? 1 : 3;
/** The same for hostile values. */
const VALUES_SHARE = process.env.LONG === '1' ? 1 : 20;

/**
 * Runs the attacks on every operation. Each must be rejected as specified, in time, and change nothing. Resolves to how
 * many were sent.
 */
async function attackAll(attacks: readonly Attack[]): Promise<number> {
  const faults: string[] = [];
  let sent = 0;
  for (const [place, [id, operation]] of Object.entries<Operation>(operations).entries()) {
    for (const [at, { name, change, status, code, on }] of attacks.entries()) {
      if (on !== undefined && !on(operation)) continue;
      if ((place + at) % SHARE !== 0) continue;
      sent += 1;
      const wire = change(wireOf(operation));
      const answer = await transmit(wire);
      const { 'content-type': type } = headersOf(answer);
      const fits =
        answer.status === status &&
        answer.body.code === code &&
        answer.body.status === status &&
        type === 'application/problem+json; charset=utf-8';
      if (!fits) faults.push(`${id}, ${name}: ${answer.status} ${answer.body.code}, not ${status} ${code}`);
      if (!(await isInTime(() => transmit(wire)))) faults.push(`${id}, ${name}: took over ${TIME_LIMIT} ms`);
    }
  }
  expect(faults).toEqual([]);
  expect(await state()).toBe(before);
  return sent;
}

/** Whether at least one of three attempts is in time, because a busy machine is not a fault. */
async function isInTime(work: () => Promise<unknown>): Promise<boolean> {
  if (TIME_LIMIT === Number.POSITIVE_INFINITY) return true;
  for (let attempt = 0; attempt < 3; attempt++) {
    const startedAt = performance.now();
    await work();
    if (performance.now() - startedAt < TIME_LIMIT) return true;
  }
  return false;
}

function headersOf({ head }: RawAnswer): Record<string, string> {
  const lines = head.split('\r\n').slice(1);
  return Object.fromEntries(
    lines.map((line) => [line.split(': ')[0]?.toLowerCase(), line.split(': ').slice(1).join(': ')]),
  );
}

// With a session, the same is attacked in the long form.
for (const isSignedIn of process.env.LONG === '1' ? [false, true] : [false]) {
  describe(isSignedIn ? 'every operation, with the cookie of a session' : 'every operation', () => {
    beforeEach(() => start(isSignedIn));

    test('SEC-1, SEC-19: rejects every host that is not served', async () => {
      expect(await attackAll(hosts(server.port))).toBeGreaterThan(300 / SHARE);
    });

    test('SEC-3, SEC-5, SEC-17, SEC-19: rejects every origin that is not allowed', async () => {
      expect(await attackAll(origins(server.port).map(onlyWithoutOrigin))).toBeGreaterThan(300 / SHARE);
    });

    test('KEY-2, SEC-6, SEC-8, SEC-19: rejects invalid credentials', async () => {
      // A signed-in page may come through a proxy.
      const all = credentials(createApiKey()).filter(({ name }) => !isSignedIn || !name.startsWith('forwarded'));
      expect(await attackAll(all)).toBeGreaterThan(300 / SHARE);
    });

    test('SEC-2, SEC-11, SEC-19, SYS-3: rejects malformed framing', async () => {
      expect(await attackAll(framing())).toBeGreaterThan(200 / SHARE);
    });

    test('SEC-11, SEC-19: rejects bodies that are not strict JSON', async () => {
      expect(await attackAll(bodies())).toBeGreaterThan(150 / SHARE);
    });

    test('SEC-1, SEC-2, SEC-3: accepts the same requests without an attack, which caused the rejection', async () => {
      for (const [id, operation] of Object.entries<Operation>(operations)) {
        const wire = wireOf(operation);
        // The events would not end. Only a page's own Origin may sign in and out, and a passkey needs a name.
        if (id === 'events') wire.method = 'HEAD';
        if (['signIn', 'signOut', 'passkeyChallenge'].includes(id)) continue;
        const { status, body } = await transmit(wire);
        const isLetIn = status < 400 || /^(VALIDATION_FAILED|NOT_FOUND|QUERY_EMPTY)$/.test(body.code);
        expect([id, status, isLetIn]).toEqual([id, status, true]);
      }
      expect(await state().catch(() => 'gone')).not.toBe(before);
    });
  });
}

/** A request with a page's own Origin is not judged by Sec-Fetch-Site as well. */
function onlyWithoutOrigin(attack: Attack): Attack {
  if (page === null || !attack.name.startsWith('Sec-Fetch-Site')) return attack;
  return { ...attack, on: (operation) => !writes(operation) };
}

describe('every field', () => {
  beforeEach(() => start(false));

  test('SEC-12, SEC-16: answers hostile values in every field as documented, without echoing them', async () => {
    const marker = 'XYZZYmarker';
    const faults: string[] = [];
    let [count, sent] = [0, 0];
    for (const [id, operation] of Object.entries<Operation>(operations)) {
      for (const { name, target, body } of hostileValues(operation, marker)) {
        count += 1;
        if (count % VALUES_SHARE !== 0) continue;
        sent += 1;
        const answer = await server.send(operation.method, target, body);
        const documented = await documentedStatuses(id as OperationId);
        if (!documented.includes(answer.status)) faults.push(`${id}, ${name}: ${answer.status} is not documented`);
        if (answer.status >= 500) faults.push(`${id}, ${name}: ${answer.status}`);
        if (answer.status >= 400 && JSON.stringify(answer.body).includes(marker)) faults.push(`${id}, ${name}: echoed`);
      }
    }
    expect(faults).toEqual([]);
    expect(sent).toBeGreaterThan(1_500 / VALUES_SHARE);
    expect((await server.send('GET', '/healthz')).status).toBe(200);
  });
});

let document: { paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>> };
async function documentedStatuses(id: OperationId): Promise<number[]> {
  document ??= (await server.send('GET', '/openapi.json')).body;
  const all = Object.values(document.paths).flatMap((path) => Object.values(path));
  const { responses = {} } = all.find(({ operationId }) => operationId === id) ?? {};
  return Object.keys(responses).map(Number);
}
