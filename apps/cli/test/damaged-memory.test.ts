import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCli } from './run-cli.js';

let cli: Awaited<ReturnType<typeof createCli>>;
beforeEach(async () => {
  cli = await createCli({ RECOLLECT_EMBEDDINGS: 'off' });
});
afterEach(() => cli.remove());

/** Changes a text as a disk would: without the triggers that a statement fires. */
function damage(file: string): void {
  const database = new Sqlite(file);
  const triggers = database.prepare("select name from sqlite_master where type = 'trigger'").pluck().all() as string[];
  for (const name of triggers) database.exec(`drop trigger ${name}`);
  database.exec("update chunks set text = replace(text, 'boiling', 'freezing')");
  database.close();
}

test('REL-6: a memory that the disk has changed is returned with a warning, on the terminal, over HTTP and to assistants', async () => {
  const id = await cli.save('Green tea is steeped below boiling.');
  expect((await cli.json(['show', id])).warning).toBeNull();
  damage(join(cli.folder, 'data', 'recollect.db'));
  const { code, out } = await cli.run(['show', id]);
  expect([code, out]).toEqual([0, expect.stringContaining('does not match its checksum')]);
  const server = await cli.serve();
  const client = new Client({ name: 'tester', version: '1' });
  try {
    const memory = await (await fetch(`${server.address}/api/v1/memories/${id}`)).json();
    expect(memory).toMatchObject({ text: 'Green tea is steeped below freezing.' });
    expect(out).toContain(memory.warning);
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.address}/api/mcp`)));
    const { content, structuredContent } = await client.callTool({ name: 'fetch', arguments: { id } });
    expect((content as { text: string }[])[0]?.text).toContain(memory.warning);
    expect(JSON.stringify(structuredContent)).toContain(JSON.stringify(memory.warning));
    const { damaged } = await (await fetch(`${server.address}/api/v1/status`)).json();
    expect(damaged).toMatchObject([{ id }]);
  } finally {
    await client.close();
    await server.stop();
  }
});
