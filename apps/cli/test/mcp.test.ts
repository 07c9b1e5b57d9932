import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client as CurrentClient, StreamableHTTPClientTransport as CurrentHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as CurrentStdio } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AnyClient, exerciseEverything } from './drive-mcp.js';
import { type Cli, createCli } from './run-cli.js';

let cli: Cli;
let server: Awaited<ReturnType<Cli['serve']>>;
const stored = fileURLToPath(new URL('../dist/bundle/main.js', import.meta.url));

beforeAll(async () => {
  cli = await createCli({ RECOLLECT_RATE_LIMIT: 'off' });
  server = await cli.serve();
  // More than one page of resources.
  const captures = Array.from({ length: 60 }, (_, place) => ({ pageText: `An older note, number ${place}.` }));
  await fetch(`${server.address}/api/v1/capture`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ captures }),
  });
});
afterAll(async () => {
  await server.stop();
  await cli.remove();
});

const launch = (more: Record<string, string> = {}) => ({
  command: process.execPath,
  args: [stored, 'mcp'],
  env: { RECOLLECT_DATA_DIR: `${cli.folder}/data`, HOME: cli.folder, ...more },
  stderr: 'pipe' as const,
});
const info = { name: 'tester', version: '1.2' };

const connections: Readonly<Record<string, () => Promise<AnyClient>>> = {
  'HTTP with a client that starts with a handshake': async () => {
    const client = new Client(info);
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.address}/api/mcp`)));
    return client as AnyClient;
  },
  'HTTP with a client of revision 2026-07-28': async () => {
    const client = new CurrentClient(info, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new CurrentHttp(new URL(`${server.address}/api/mcp`)));
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    return client as AnyClient;
  },
  'standard input and output with a client that starts with a handshake': async () => {
    const client = new Client(info);
    await client.connect(new StdioClientTransport(launch()));
    return client as AnyClient;
  },
  'standard input and output with a client of revision 2026-07-28': async () => {
    const client = new CurrentClient(info, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new CurrentStdio(launch()));
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    return client as AnyClient;
  },
};

describe('every tool, resource and prompt', () => {
  // The long form also tries each transport with the other revision.
  const tried = Object.entries(connections).filter((_, at) => process.env.LONG === '1' || at === 1 || at === 2);
  for (const [name, connect] of tried) {
    test(`MCP-1: works over ${name}`, async () => {
      const client = await connect();
      await exerciseEverything(client, `m${Object.keys(connections).indexOf(name)}`);
      await client.close();
    });
  }
});

describe('recollect mcp', () => {
  const begin = [
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: info },
    },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
  ];
  const call = (id: number, name: string, given: object) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: given },
  });
  const lines = (...messages: object[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join('');

  test('MCP-1: answers a pipe that has already ended, with only messages on standard output, even through npm', async () => {
    const input = lines(
      ...begin,
      call(2, 'save', { text: 'Written by a pipe.' }),
      call(3, 'search', { query: 'pipe' }),
    );
    const root = fileURLToPath(new URL('../../..', import.meta.url));
    const child = spawn('npm', ['run', '--silent', 'recollect', '--', 'mcp'], {
      cwd: root,
      env: {
        ...process.env,
        RECOLLECT_DATA_DIR: `${cli.folder}/data`,
        HOME: cli.folder,
        // Read requests are answered for 20 seconds after the end of the input. A model takes longer on a busy machine.
        RECOLLECT_EMBEDDINGS: 'off',
        RECOLLECT_SERVER_WAIT: '60000',
      },
    });
    child.stdin.end(input);
    const [out] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    const messages = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([child.exitCode, messages.map(({ id }) => id).sort()]).toEqual([0, [1, 2, 3]]);
    const saved = messages.find(({ id }) => id === 2).result.structuredContent;
    const shown = await cli.run(['show', saved.id, '--json']);
    expect(JSON.parse(shown.out)).toMatchObject({ sourceApp: 'mcp', metadata: { client: info } });
  });

  test('MCP-1: the command that forget returns restores the memory from the trash', async () => {
    const env = { RECOLLECT_EMBEDDINGS: 'off' };
    const saved = await cli.run(['mcp'], {
      env,
      input: lines(...begin, call(2, 'save', { text: 'Kept in spite of all.' })),
    });
    const { id } = JSON.parse(saved.out.trimEnd().split('\n').at(-1) ?? '').result.structuredContent;
    const forgotten = await cli.run(['mcp'], { env, input: lines(...begin, call(2, 'forget', { id })) });
    expect(forgotten.out).toContain(`recollect undelete ${id}`);
    expect((await cli.run(['show', id], { env })).code).toBe(1);
    expect((await cli.run(['undelete', id], { env })).out).toContain('Restored');
    expect((await cli.run(['show', id], { env })).out).toContain('Kept in spite of all.');
    expect(await cli.run(['undelete', id], { env })).toMatchObject({
      code: 1,
      err: expect.stringContaining('in the trash'),
    });
  });

  test('MCP-1: answers invalid lines with protocol errors and keeps running', async () => {
    const env = { RECOLLECT_EMBEDDINGS: 'off' };
    const bad = [
      'no json',
      '{"x":1}',
      '',
      '[]',
      '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":"x"}',
      '{"jsonrpc":"2.0","id":5,"method":"ping","extra":1}',
      '{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}',
      `"${'x'.repeat(17 * 1024 * 1024)}"`,
    ];
    // Two requests with one id are answered, and do not keep the process from its end.
    const recent = call(8, 'recent', {});
    const good = [...begin, { jsonrpc: '2.0', id: 7, method: 'nothing/there' }, recent, recent];
    // The last line has no line ending.
    const { out, code } = await cli.run(['mcp'], { env, input: `${bad.join('\n')}\n${lines(...good).trimEnd()}` });
    const answers = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).toBe(0);
    // Answers come in any order.
    const codes = answers.filter(({ id }) => id === null).map(({ error }) => error.code);
    expect(codes.toSorted()).toEqual([-32600, -32600, -32600, -32700, -32700]);
    expect(answers.find(({ id }) => id === 4).error).toEqual({
      code: -32600,
      message: 'params must be of type object.',
    });
    expect(answers.find(({ id }) => id === 5).error.code).toBe(-32600);
    expect(answers.find(({ id }) => id === 7).error.code).toBe(-32601);
    expect(answers.filter(({ id }) => id === 8).map(({ result }) => result.isError)).toEqual([undefined, undefined]);
  });

  test('MCP-1: stops on SIGTERM, even during its start', async () => {
    for (const after of [300, 600, 900, 1_500]) {
      const child = cli.start(['mcp'], { RECOLLECT_EMBEDDINGS: 'off' });
      const ended = once(child, 'exit');
      setTimeout(() => child.kill('SIGTERM'), after);
      await ended;
    }
  });

  test('MCP-1: embeds what an earlier session could not embed', { tags: 'long' }, async () => {
    const home = await createCli();
    try {
      const save = (id: number) => call(id, 'save', { text: 'Written while there was no model.' });
      const first = await home.run(['mcp'], {
        input: lines(...begin, save(2), save(3)),
        env: { RECOLLECT_EMBEDDINGS: 'off' },
      });
      // Neither of the two, although the second saved nothing.
      expect(first.out.match(/"isFoundByMeaning":\w+/g)).toEqual(Array(2).fill('"isFoundByMeaning":false'));
      const client = new Client(info);
      await client.connect(
        new StdioClientTransport({ ...launch(), env: { RECOLLECT_DATA_DIR: `${home.folder}/data` } }),
      );
      const lacking = async () => JSON.parse((await home.run(['model', '--json'])).out).withoutEmbeddings;
      await expect.poll(lacking, { timeout: 60_000, interval: 200 }).toBe(0);
      await client.close();
    } finally {
      await home.remove();
    }
  });

  test('SEC-13: exits with 78 when RECOLLECT_MCP is off', async () => {
    const { code, err, out } = await cli.run(['mcp'], { env: { RECOLLECT_MCP: 'off' }, isRejected: true });
    expect([code, err, out]).toEqual([78, expect.stringContaining('RECOLLECT_MCP is off'), '']);
  });
});

describe('recollect mcp install', () => {
  test('MCP-1: prints a working configuration for each client', async () => {
    const launches = new Set<string>();
    for (const [client, section] of [
      ['claude-desktop', 'mcpServers'],
      ['claude-code', 'mcpServers'],
      ['cursor', 'mcpServers'],
      ['vscode', 'servers'],
    ] as const) {
      const { out, err, code } = await cli.run(['mcp', '--print-config', client]);
      const { command, args, env } = JSON.parse(out)[section].recollect;
      expect([code, err]).toEqual([0, expect.stringContaining(`recollect mcp install ${client}`)]);
      expect(env).toEqual({ RECOLLECT_DATA_DIR: `${cli.folder}/data` });
      launches.add(JSON.stringify({ command, args, env }));
    }
    expect(launches.size).toBe(1);
    const assistant = new Client(info);
    await assistant.connect(new StdioClientTransport({ ...JSON.parse([...launches][0] ?? ''), stderr: 'pipe' }));
    expect((await assistant.listTools()).tools).toHaveLength(9);
    await assistant.close();
    const chatgpt = await cli.run(['mcp', '--print-config', 'chatgpt'], {
      env: { RECOLLECT_PUBLIC_URL: 'https://memory.example' },
    });
    expect(chatgpt.out).toContain('https://memory.example/api/mcp');
    expect(chatgpt.out).toContain('keys create');
    const underPath = await cli.run(['mcp', '--print-config', 'chatgpt'], {
      env: { RECOLLECT_PUBLIC_URL: 'https://host.example/my/recollect/' },
    });
    expect(underPath.out).toContain('https://host.example/my/recollect/api/mcp');
    const unknown = await cli.run(['mcp', '--print-config', 'emacs']);
    expect([unknown.code, unknown.err]).toEqual([
      2,
      expect.stringContaining('claude-desktop, claude-code, cursor, vscode, chatgpt'),
    ]);
  });

  test('MCP-1: shows a change before it applies it, and keeps a copy of the old file', async () => {
    const home = await createCli();
    const file = `${home.folder}/.cursor/mcp.json`;
    try {
      const asked = await home.run(['mcp', 'install', 'cursor']);
      expect([asked.code, asked.out, asked.err]).toEqual([
        2,
        expect.stringContaining('+  "mcpServers"'),
        expect.stringContaining('--yes'),
      ]);
      await expect(readFile(file)).rejects.toThrow();
      expect((await home.run(['mcp', 'install', 'cursor', '--yes'])).code).toBe(0);
      const first = await readFile(file, 'utf8');
      expect(JSON.parse(first).mcpServers.recollect.args.at(-1)).toBe('mcp');
      expect((await home.run(['mcp', 'install', 'cursor', '--yes'])).out).toContain('is already set up');
      const moved = await home.run(['mcp', 'install', 'cursor', '--yes', '--json'], {
        env: { RECOLLECT_EMBEDDINGS: 'off' },
      });
      const { copy, isChanged } = JSON.parse(moved.out);
      expect([isChanged, await readFile(copy, 'utf8')]).toEqual([true, first]);
      expect(JSON.parse(await readFile(file, 'utf8')).mcpServers.recollect.env.RECOLLECT_EMBEDDINGS).toBe('off');
      expect((await home.run(['mcp', 'install', 'chatgpt', '--yes'])).err).toContain('--print-config chatgpt');
      expect((await home.run(['mcp', 'install', 'emacs', '--yes'])).code).toBe(2);
    } finally {
      await home.remove();
    }
  });
});
