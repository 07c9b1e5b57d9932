import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Client as CurrentClient,
  StreamableHTTPClientTransport as CurrentTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { limits } from '@recollect/contract';
import { LOCAL_USER } from '@recollect/core';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { answerNothing } from './answer-nothing.js';
import { startTestServer, type TestServer } from './start-test-server.js';

const MCP = '/api/mcp';
const call = (name: string, given: Record<string, unknown> = {}, id = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: given },
});

let server: TestServer;
afterEach(() => server.close());

async function connect(headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'tester', version: '1.2' });
  await client.connect(new StreamableHTTPClientTransport(new URL(server.address + MCP), { requestInit: { headers } }));
  return client;
}

async function keyFor(...scopes: ('memory:read' | 'capture:write' | 'memory:write' | 'index:run')[]) {
  const { key } = await server.core.apiKeys.create(LOCAL_USER, { scopes });
  return { authorization: `Bearer ${key}` };
}

describe('authorization', () => {
  test('MCP-1, KEY-2: rejects missing credentials where a key is required, and an invalid key', async () => {
    server = await startTestServer({ policy: { auth: 'required' } });
    const refused = await server.send('POST', MCP, call('recent'));
    expect([refused.status, refused.body.code]).toEqual([401, 'AUTHENTICATION_REQUIRED']);
    const wrong = await server.send('POST', MCP, call('recent'), { authorization: 'Bearer rec_nothing' });
    expect([wrong.status, wrong.body.code]).toEqual([401, 'API_KEY_INVALID']);
    const allowed = await server.send('POST', MCP, call('recent'), await keyFor('memory:read'));
    expect([allowed.status, allowed.body.result.isError]).toEqual([200, undefined]);
  });

  test('MCP-1, MCP-2, MCP-3, SEC-8: each tool requires its scope, and names it if it is missing', async () => {
    server = await startTestServer();
    const { answer } = await server.core.capture(LOCAL_USER, [{ pageText: 'something that is there' }]);
    const id = answer.captures[0]?.id;
    const given = {
      search: { query: 'something' },
      fetch: { id },
      recent: {},
      related: { id },
      highlights: {},
      tags: {},
      save: { text: 'something new' },
      update: { id, note: 'corrected' },
      forget: { id },
    };
    const needs = {
      search: 'memory:read',
      fetch: 'memory:read',
      recent: 'memory:read',
      related: 'memory:read',
      highlights: 'memory:read',
      tags: 'memory:read',
      save: 'capture:write',
      update: 'memory:write',
      forget: 'memory:write',
    };
    for (const held of ['index:run', 'memory:read', 'capture:write', 'memory:write'] as const) {
      const key = await keyFor(held);
      for (const [name, scope] of Object.entries(needs)) {
        const { status, body } = await server.send('POST', MCP, call(name, given[name as keyof typeof given]), key);
        const refusal = expect.stringContaining(`lacks the scope ${scope}`);
        expect([held, name, status, body.result.isError ?? false]).toEqual([held, name, 200, held !== scope]);
        if (held !== scope) expect(body.result.content).toEqual([{ type: 'text', text: refusal }]);
      }
    }
    const writer = await connect(await keyFor('capture:write'));
    await expect(writer.listResources()).rejects.toThrow('lacks the scope memory:read');
    await expect(writer.getPrompt({ name: 'daily-review' })).rejects.toThrow('lacks the scope memory:read');
    await writer.close();
  });

  test('MCP-1, QRY-7: a key finds only the memories of its user', async () => {
    server = await startTestServer();
    await server.core.capture('ann', [{ pageText: 'the secret of ann' }]);
    const { id: ben } = await server.core.people.create({ name: 'Ben' });
    const { key } = await server.core.apiKeys.create(ben);
    const headers = { authorization: `Bearer ${key}` };
    const { body } = await server.send('POST', MCP, call('search', { query: 'secret' }), headers);
    expect(body.result.structuredContent.results).toEqual([]);
  });

  test('SEC-10: accepts 300 messages per minute, then returns 429 with Retry-After', { tags: 'long' }, async () => {
    server = await startTestServer({ policy: { limitsRequests: true } });
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const { mcp } = limits.requestsPerMinute;
    for (let sent = 0; sent < mcp; sent += 50) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => server.send('POST', MCP, ping)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    }
    const late = await server.send('POST', MCP, ping);
    expect([late.status, late.body.code, Number(late.headers.get('retry-after')) > 0]).toEqual([
      429,
      'RATE_LIMITED',
      true,
    ]);
  });

  test('SEC-13, EXT-1: returns 404 when it is switched off, and the setup document says so', async () => {
    server = await startTestServer({ mcp: false });
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status, body } = await server.send(method, MCP, method === 'POST' ? call('recent') : undefined);
      expect([method, status, body.code]).toEqual([method, 404, 'NOT_FOUND']);
    }
    const setup = await server.send('GET', '/api/v1/extension/setup');
    expect(setup.body.capabilities.mcp).toBe(false);
    const document = await server.send('GET', '/openapi.json');
    expect(Object.keys(document.body.paths)).not.toContain(MCP);
  });
});

describe('the protocol', () => {
  test('MCP-1: messages are independent: any revision, no handshake, no open stream', async () => {
    server = await startTestServer();
    for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
      const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'x', version: '1' } };
      const begun = await server.send('POST', MCP, { jsonrpc: '2.0', id: 'a', method: 'initialize', params });
      expect([begun.status, begun.body.id, begun.body.result.protocolVersion]).toEqual([200, 'a', version]);
      const listed = await server.send(
        'POST',
        MCP,
        { jsonrpc: '2.0', id: 2, method: 'tools/list' },
        { 'mcp-protocol-version': version },
      );
      expect([listed.status, listed.body.result.tools.length]).toEqual([200, 9]);
    }
    const unknown = await server.send(
      'POST',
      MCP,
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
      { 'mcp-protocol-version': '1999-01-01' },
    );
    expect([unknown.status, unknown.body.error.message]).toEqual([400, expect.stringContaining('2025-11-25')]);
    const told = await server.send('POST', MCP, { jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([told.status, told.body]).toEqual([202, '']);
    for (const method of ['GET', 'DELETE']) {
      const { status, headers } = await server.send(method, MCP);
      expect([status, headers.get('allow')]).toEqual([405, 'POST']);
    }
    const batch = await server.send('POST', MCP, [call('recent')]);
    expect([batch.status, batch.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    const listening = await server.send(
      'POST',
      MCP,
      {
        jsonrpc: '2.0',
        id: 5,
        method: 'subscriptions/listen',
        params: {
          notifications: {},
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
    );
    expect([listening.status, listening.body.error.code]).toEqual([404, -32601]);
  });

  test('MCP-1: a newer client uses revision 2026-07-28 without a handshake, and its name is recorded', async () => {
    server = await startTestServer();
    const client = new CurrentClient({ name: 'newer', version: '2' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new CurrentTransport(new URL(server.address + MCP)));
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    const saved = await client.callTool({ name: 'save', arguments: { text: 'Oolong is half green.' } });
    const { id } = saved.structuredContent as { id: string };
    expect((await server.core.memories.get(LOCAL_USER, id)).metadata).toEqual({
      client: { name: 'newer', version: '2' },
    });
    await expect(client.callTool({ name: 'nothing' })).rejects.toThrow(
      'The tools are: search, fetch, recent, related, highlights, tags, save, update, forget',
    );
    await client.close();
  });

  test('MCP-1: records the client named in initialize with a saved memory, and saves no duplicate', async () => {
    server = await startTestServer();
    const client = await connect();
    const given = { text: 'Green tea.', title: 'Tea', url: 'https://tea.example/', tags: ['drinks'], note: 'mine' };
    const { structuredContent: first } = await client.callTool({ name: 'save', arguments: given });
    const { structuredContent: again } = await client.callTool({ name: 'save', arguments: given });
    const { id, status } = first as { id: string; status: string };
    expect([status, again]).toEqual(['created', { id, status: 'duplicate', isFoundByMeaning: true }]);
    expect(await server.core.memories.get(LOCAL_USER, id)).toMatchObject({
      ...given,
      sourceApp: 'mcp',
      sourceType: 'url',
      metadata: { client: { name: 'tester', version: '1.2' } },
    });
    await client.close();
    const nameless = await server.send('POST', MCP, call('save', { text: 'Black tea.' }));
    const { metadata } = await server.core.memories.get(LOCAL_USER, nameless.body.result.structuredContent.id);
    expect(metadata).toEqual({});
  });

  test('MCP-1: stops working on a call that is cancelled or whose client disconnects', async () => {
    server = await startTestServer();
    // No limit of time ends the work, as the two seconds for embedding a query would.
    const limit = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
    onTestFinished(() => limit.mockRestore());
    let begun = 0;
    let stopped = 0;
    const waitForEnd = (_: unknown, { signal }: { signal?: AbortSignal } = {}) =>
      new Promise<never>((_resolve, reject) => {
        begun += 1;
        signal?.addEventListener('abort', () => {
          stopped += 1;
          reject(signal.reason);
        });
      });
    Object.assign(server.model, { embed: waitForEnd });
    const client = await connect();
    for (const round of [1, 2]) {
      const cancelling = new AbortController();
      const asked = client.callTool({ name: 'search', arguments: { query: 'tea' } }, undefined, {
        signal: cancelling.signal,
      });
      const rejected = expect(asked).rejects.toThrow();
      while (begun < round) await sleep(5);
      cancelling.abort();
      await rejected;
      while (stopped < round) await sleep(5);
    }
    await client.close();
    const body = JSON.stringify(call('search', { query: 'tea' }));
    const socket = createConnection(server.port, '127.0.0.1');
    socket.write(
      `POST ${MCP} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    while (begun < 3) await sleep(5);
    socket.destroy();
    while (stopped < 3) await sleep(5);
  });

  test('MCP-1: answers a call within 10 seconds and reports what was saved by then', { tags: 'long' }, async () => {
    server = await startTestServer();
    const isLate = answerNothing(server.model);
    const { body } = await server.send('POST', MCP, call('save', { text: 'Saved all the same.' }));
    expect(body.result.structuredContent).toMatchObject({ status: 'created', isFoundByMeaning: false });
    expect(isLate()).toBe(false);
    const found = await server.send('POST', MCP, call('search', { query: 'Saved all the same' }));
    expect(found.body.result.structuredContent.results).toHaveLength(1);
    expect(found.body.result.content[0].text).toContain('so only full text was searched');
  });
});

describe('errors', () => {
  test('MCP-1, MCP-2, MCP-3: returns results that say how to fix the call for bad arguments and unknown ids', async () => {
    server = await startTestServer();
    const client = await connect();
    const cases: readonly [string, Record<string, unknown>, RegExp][] = [
      [
        'search',
        {},
        /^query is required\. search accepts: query \(required\), limit, tokens, asTyped, sourceType, site, tag, starred, readState, place, since, until, by\.$/,
      ],
      ['search', { query: 7 }, /query must be of type string/],
      ['search', { query: ' ' }, /Send some words/],
      ['search', { query: 'x'.repeat(2_001) }, /at most 2000 characters/],
      ['search', { query: 'x', limit: 0 }, /limit must be at least 1/],
      ['search', { query: 'x', limit: 1.5 }, /limit must be of type integer/],
      ['search', { query: 'x', sourceType: 'web' }, /sourceType must be one of: url, note/],
      ['search', { query: 'x', since: 'someday' }, /since must be a date that exists/],
      ['search', { query: 'x', top_k: 3 }, /Unknown argument\. search accepts: /],
      [
        'search',
        { query: 'x', by: 'browser' },
        /by must be one of extension, bookmarklet, .*, perhaps with a colon and a name/,
      ],
      ['recent', { by: 'browser' }, /by must be one of/],
      ['recent', { sourceType: 'web' }, /sourceType must be one of: url, note/],
      ['recent', { since: '2026-02-30' }, /since must be a date that exists/],
      ['recent', { cursor: 'made up' }, /cursor must be a nextCursor/],
      ['fetch', { id: 'nope' }, /no memory with this id\. Use an id from search or recent\./],
      ['fetch', { id: '' }, /id must/],
      ['related', {}, /^id is required\. related accepts: id \(required\), limit\.$/],
      ['related', { id: 'nope' }, /no memory with this id\. Use an id from search or recent\./],
      ['related', { id: 'nope', limit: 21 }, /limit must be at most 20/],
      ['highlights', { cursor: 'made up' }, /cursor must be a nextCursor/],
      ['highlights', { limit: 51 }, /limit must be at most 50/],
      ['highlights', { tag: 'x' }, /Unknown argument\. highlights accepts: query, id, review, limit, cursor\./],
      ['tags', { limit: 3 }, /Unknown argument/],
      ['update', { title: 'x' }, /id is required/],
      ['update', { id: 'nope', title: 'x' }, /no memory with this id/],
      ['update', { id: 'nope', text: 'x' }, /no memory with this id/],
      [
        'update',
        { id: 'nope' },
        /Send at least one of title, note, text, starred, readState, place, addTags and removeTags/,
      ],
      ['update', { id: 'nope', title: ' ' }, /A title cannot be blank/],
      ['update', { id: 'nope', text: '' }, /text must/],
      ['update', { id: 'nope', tags: ['x'] }, /Unknown argument\. update accepts: .*addTags, removeTags\./],
      ['update', { id: 'nope', addTags: ['x'.repeat(101)] }, /at most 100 characters/],
      ['forget', { id: 'nope' }, /no memory with this id/],
      ['save', { text: ' \n' }, /text is blank/],
      ['save', { text: '\u0000' }, /text is blank/],
      ['save', { text: 'x', url: 'ftp://x' }, /url must be an absolute http or https URL/],
      ['save', { text: 'x', tags: { a: 1 } }, /tags must be of type array/],
      ['save', { text: 'x', tags: '["a"' }, /tags must be of type array/],
      ['search', { query: 'x', limit: '3 results' }, /limit must be of type integer/],
      ['search', { query: 'x', starred: 'maybe' }, /starred must be of type boolean/],
    ];
    for (const [name, given, sentence] of cases) {
      const result = await client.callTool({ name, arguments: given });
      const [content] = result.content as { text: string }[];
      expect([name, given, result.isError, content?.text]).toEqual([
        name,
        given,
        true,
        expect.stringMatching(sentence),
      ]);
    }
    const lenient = await client.callTool({
      name: 'search',
      arguments: { query: 'x', limit: null, site: '', tag: null },
    });
    expect(lenient.isError).toBeUndefined();
    await client.close();
  });

  test('MCP-1: a list has the beginnings of notes, and as many marked passages as an assistant accepts', async () => {
    server = await startTestServer();
    const note = `Begins here. ${'x'.repeat(19_000)}`;
    const tags = Array.from({ length: 30 }, (_, at) => `tag ${at}`);
    const saved = await server.core.capture(LOCAL_USER, [{ pageText: `A quokka. ${'y'.repeat(4_900)}`, note, tags }]);
    const id = saved.answer.captures[0]?.id ?? '';
    for (const letter of 'abcdefghij')
      await server.core.highlights.create(LOCAL_USER, id, { quote: letter.repeat(4_900), note: letter.repeat(900) });
    const client = await connect();
    type Listed = { results: { text: string }[]; nextCursor: string | null };
    const textOf = async (name: string, given: Record<string, unknown>) => {
      const { content, structuredContent } = await client.callTool({ name, arguments: given });
      return [(content as { text: string }[])[0]?.text ?? '', structuredContent as Listed] as const;
    };
    for (const name of ['search', 'recent']) {
      const [text] = await textOf(name, name === 'search' ? { query: 'quokka', tokens: 500 } : {});
      expect(text.length).toBeLessThan(10_000);
      expect(text).toContain('Note: Begins here. xxx');
      expect(text).toContain('tag 19, and 10 more');
    }
    expect((await textOf('fetch', { id }))[0]).toContain(note);
    const read: string[] = [];
    for (let cursor: string | undefined, pages = 0; pages < 10; pages++) {
      const [text, { results, nextCursor }] = await textOf('highlights', { limit: 50, ...(cursor && { cursor }) });
      expect(text.length).toBeLessThan(limits.mcp.pageLength + 2_000);
      read.push(...results.map((result) => /(\w)\1{4000}/.exec(result.text)?.[1] ?? ''));
      if (nextCursor === null) break;
      cursor = nextCursor;
    }
    expect(read.join('')).toBe('jihgfedcba');
    await client.close();
  });

  test('MCP-1: returns protocol errors only for violations of the protocol', async () => {
    server = await startTestServer();
    const client = await connect();
    const faults = {
      tool: () => client.callTool({ name: 'nothing' }),
      resource: () => client.readResource({ uri: 'memory://nope' }),
      scheme: () => client.readResource({ uri: 'file:///etc/passwd' }),
      prompt: () => client.getPrompt({ name: 'nothing' }),
      topic: () => client.getPrompt({ name: 'recall' }),
      blank: () => client.getPrompt({ name: 'recall', arguments: { topic: ' \u200b' } }),
      cursor: () => client.listResources({ cursor: 'made up' }),
      page: () => client.listTools({ cursor: 'x' }),
      method: () => client.request({ method: 'nothing/there' } as never, {} as never),
    };
    for (const [name, fault] of Object.entries(faults)) {
      const error = await fault().then(
        () => null,
        (thrown: { code?: number; message: string }) => thrown,
      );
      expect([name, error?.code]).toEqual([name, name === 'method' ? -32601 : -32602]);
    }
    const made = 'memory://\u202eevil\u0007';
    const error = await client
      .readResource({ uri: made })
      .catch((thrown: { data?: unknown; message: string }) => thrown);
    expect(JSON.stringify([error, 'data' in error ? error.data : null])).not.toMatch(/evil|\\u202e|\u202e/);
    await client.close();
  });
});
