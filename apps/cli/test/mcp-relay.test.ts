import { readFile, writeFile } from 'node:fs/promises';
import { Client as CurrentClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as CurrentStdio } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Cli, createCli } from './run-cli.js';

const info = { name: 'tester', version: '1.2' };

/** A model takes longer to load than all the rest. */
const WITHOUT_MODEL = { RECOLLECT_EMBEDDINGS: 'off' };

let cli: Cli;
beforeEach(async () => {
  cli = await createCli(WITHOUT_MODEL);
});
afterEach(() => cli.remove());

const launch = (env: Record<string, string>) => ({
  command: process.execPath,
  args: [cli.main, 'mcp'],
  // A server on a busy machine may be slow.
  env: { RECOLLECT_DATA_DIR: `${cli.folder}/data`, HOME: cli.folder, RECOLLECT_SERVER_WAIT: '60000', ...env },
  stderr: 'pipe' as const,
});

/** A client over standard input and output, with the process that it started. */
async function connect(
  revision: 'before 2026-07-28' | '2026-07-28' = 'before 2026-07-28',
  env: Record<string, string> = WITHOUT_MODEL,
) {
  if (revision === '2026-07-28') {
    const [client, transport] = [
      new CurrentClient(info, { versionNegotiation: { mode: 'auto' } }),
      new CurrentStdio(launch(env)),
    ];
    await client.connect(transport);
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    return { client, pid: transport.pid ?? 0 };
  }
  const [client, transport] = [new Client(info), new StdioClientTransport(launch(env))];
  await client.connect(transport);
  return { client, pid: transport.pid ?? 0 };
}

type Connected = Awaited<ReturnType<typeof connect>>['client'];

async function call(client: Connected, name: string, given: Record<string, unknown> = {}) {
  const { structuredContent, isError } = await client.callTool({ name, arguments: given });
  expect([name, isError ?? false]).toEqual([name, false]);
  return structuredContent as { id: string; results: { id: string; title: string }[] };
}

/** Processes that a process has started. */
const childrenOf = async (pid: number) =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').filter(Boolean).map(Number);

describe.runIf(process.platform === 'linux')('recollect mcp and a server of the same folder', () => {
  test('MCP-1, SEC-18: with a running server, the process needs less than 40 MB of private memory', {
    tags: 'long',
  }, async () => {
    const server = await cli.serve({ RECOLLECT_EMBEDDINGS: 'on' });
    const { client, pid } = await connect('before 2026-07-28', {});
    const { id } = await call(client, 'save', { text: 'Bees dance for the nest that they like.' });
    for (let count = 0; count < 20; count++) await call(client, 'search', { query: `dancing insects ${count}` });
    expect(await childrenOf(pid)).toEqual([]);
    // Without the program file of Node, of which Linux maps as much as it likes, and which all processes share.
    const [, own] = /RssAnon:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
    expect(Number(own) / 1_024).toBeLessThan(40);
    // What it did is the client's, not the command line's.
    expect(await cli.json(['show', id])).toMatchObject({ sourceApp: 'mcp', metadata: { client: info } });
    await client.close();
    await server.stop();
  });

  // The long form also tries the other revision.
  for (const revision of process.env.LONG === '1'
    ? (['before 2026-07-28', '2026-07-28'] as const)
    : (['2026-07-28'] as const)) {
    test(`MCP-1: a client of a revision ${revision} notices neither that the server stops nor that one starts`, async () => {
      const first = await cli.serve();
      const { client, pid } = await connect(revision);
      const { id } = await call(client, 'save', { text: 'Bees dance for the nest that they like.' });
      const found = async () => (await call(client, 'search', { query: 'bees' })).results.map(({ id }) => id);
      expect(await found()).toEqual([id]);
      await first.stop();
      expect(await found()).toEqual([id]);
      expect(await childrenOf(pid)).toHaveLength(1);
      const second = await cli.serve();
      expect(await found()).toEqual([id]);
      await second.stop('SIGKILL');
      const [saved, results] = await Promise.all([call(client, 'save', { text: 'Honey keeps for years.' }), found()]);
      // The query may come before or after the save that was sent with it.
      expect(results).toContain(id);
      expect(await cli.json(['show', saved.id])).toMatchObject({ sourceApp: 'mcp', metadata: { client: info } });
      await client.close();
    });
  }

  test('MCP-1: a process that opened the store itself ends soon after a server starts', async () => {
    const { client, pid } = await connect();
    await call(client, 'recent');
    expect(await childrenOf(pid)).toHaveLength(1);
    const server = await cli.serve();
    await expect.poll(() => childrenOf(pid)).toEqual([]);
    await call(client, 'recent');
    expect(await childrenOf(pid)).toEqual([]);
    await client.close();
    await server.stop();
  });

  test('MCP-1, SEC-13: a server with RECOLLECT_MCP=off is not used', async () => {
    const server = await cli.serve({ RECOLLECT_MCP: 'off' });
    const { client, pid } = await connect();
    await call(client, 'recent');
    expect(await childrenOf(pid)).toHaveLength(1);
    await client.close();
    await server.stop();
  });

  test('MCP-1: through a server, invalid lines get the same protocol errors', { tags: 'long' }, async () => {
    const input = ['no json', '{"x":1}', '[]', '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":"x"}'].join(
      '\n',
    );
    const answersOf = async () => {
      const { out, code } = await cli.run(['mcp'], { input });
      expect(code).toBe(0);
      return out.trimEnd().split('\n').sort();
    };
    const alone = await answersOf();
    const server = await cli.serve();
    expect(await answersOf()).toEqual(alone);
    expect(alone).toHaveLength(4);
    await server.stop();
  });
});

test('MCP-1: a store that does not open ends the process with the reason', async () => {
  await cli.save('Something, so that there is a store.');
  await writeFile(`${cli.folder}/data/recollect.db`, 'not a database');
  const { code, err, out } = await cli.run(['mcp']);
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain('recollect doctor');
});
