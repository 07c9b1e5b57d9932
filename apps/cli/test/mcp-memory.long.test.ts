import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cli, createCli } from './run-cli.js';

let cli: Cli;
beforeAll(async () => {
  cli = await createCli();
});
afterAll(() => cli.remove());

test('MCP-1: 250 mixed calls do not leak memory', async () => {
  // On this signal the process collects its garbage and prints the bytes that it still uses.
  const report = `process.on('SIGUSR2', () => {
    gc();
    const { heapUsed, external } = process.memoryUsage();
    console.error('in use: ' + (heapUsed + external));
  })`;
  const reporting = ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(report)}`];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...reporting, cli.main, 'mcp', '--direct'],
    env: { RECOLLECT_DATA_DIR: `${cli.folder}/data`, HOME: cli.folder },
    stderr: 'pipe',
  });
  const client = new Client({ name: 'tester', version: '1.2' });
  await client.connect(transport);
  const inUse = async () => {
    process.kill(transport.pid ?? 0, 'SIGUSR2');
    const [chunk] = await once(transport.stderr as Readable, 'data');
    return Number(/in use: (\d+)/.exec(String(chunk))?.[1]);
  };
  const ids: string[] = [];
  const round = async (count: number) => {
    const { structuredContent } = await client.callTool({
      name: 'save',
      arguments: { text: `Round ${count}: ${'the quick brown fox jumps over the lazy dog. '.repeat(20)}` },
    });
    ids.push((structuredContent as { id: string }).id);
    await client.callTool({ name: 'search', arguments: { query: `fox in round ${count}` } });
    await client.callTool({ name: 'fetch', arguments: { id: ids.at(-1) } });
    await client.callTool({ name: 'recent', arguments: { limit: 20 } });
    await client.callTool({ name: 'fetch', arguments: { id: 'nothing' } });
    await client.listResources();
    await client.readResource({ uri: `memory://${ids.at(-1)}` });
    await client.getPrompt({ name: 'recall', arguments: { topic: 'fox' } });
    await client.listTools();
    if (ids.length > 5) await client.callTool({ name: 'forget', arguments: { id: ids.shift() } });
  };
  // The first calls fill caches and compile code.
  for (let count = 0; count < 25; count++) await round(count);
  const before = await inUse();
  for (let count = 25; count < 50; count++) await round(count);
  const growth = (await inUse()) - before;
  await client.close();
  // Compiled code and caches still take 4 MB; after 200 rounds they stop. A leak of 16 KB per call would exceed the
  // limit.
  expect(growth).toBeLessThan(8_000_000);
});
