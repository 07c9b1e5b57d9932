import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exportOf } from './export-of.js';
import { createCli } from './run-cli.js';

let cli: Awaited<ReturnType<typeof createCli>>;
beforeEach(async () => {
  cli = await createCli({ RECOLLECT_EMBEDDINGS: 'off' });
});
afterEach(() => cli.remove());

/** Changes a text as a disk would: without the triggers that a statement fires. */
function damage(file: string, sql = "update chunks set text = replace(text, 'boiling', 'freezing')"): void {
  const database = new Sqlite(file);
  const triggers = database.prepare("select name from sqlite_master where type = 'trigger'").pluck().all() as string[];
  for (const name of triggers) database.exec(`drop trigger ${name}`);
  database.exec(sql);
  database.close();
}

test('REL-6, BAK-8: a memory that the disk has changed is returned with a warning, and restored alone from a backup', async () => {
  const id = await cli.save('Green tea is steeped below boiling.');
  expect((await cli.json(['show', id])).warning).toBeNull();
  await cli.json(['backup']);
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
    expect([memory.damaged, (structuredContent as { metadata: { damaged: boolean } }).metadata.damaged]).toEqual([
      true,
      true,
    ]);
    // The newest backup has the damage too.
    await cli.json(['backup']);
    const restored = await cli.run(['restore', '--memory', id]);
    expect([restored.code, restored.err]).toEqual([
      0,
      expect.stringMatching(/does not have the memory, or not undamaged/),
    ]);
    expect(restored.out).toMatch(/^Restored text of Green tea is steeped below boiling\. from /);
    expect(await cli.json(['show', id])).toMatchObject({
      text: 'Green tea is steeped below boiling.',
      damaged: false,
      warning: null,
    });
    expect((await cli.json(['status'])).damaged).toEqual([]);
    expect((await cli.run(['restore', '--memory', id])).code).toBe(0);
  } finally {
    await client.close();
    await server.stop();
  }
});

test('BAK-8: a damaged title is restored for good, and damage that needs the whole store is named', async () => {
  const file = join(cli.folder, 'data', 'recollect.db');
  const id = await cli.save('Green tea is steeped below boiling.');
  await cli.json(['backup']);
  damage(file, "update memories set title = 'Grewn tea'");
  expect(await cli.json(['restore', '--memory', id])).toMatchObject({ changed: ['title'], notRestored: [] });
  expect(await cli.json(['show', id])).toMatchObject({ damaged: false });
  damage(file, "update memories set seal = 'another'");
  expect((await cli.run(['restore', '--memory', id])).out).toMatch(
    /^Repaired Green tea is steeped below boiling\. from /,
  );
  damage(file, "update memories set captured_at = '2001-01-01T00:00:00.000Z'");
  const left = await cli.run(['restore', '--memory', id]);
  expect([left.code, left.err]).toEqual([1, expect.stringContaining('restored only with the whole store')]);
  expect(left.err).toContain('capturedAt');
  expect(await cli.json(['show', id])).toMatchObject({ damaged: true });
});

test('BAK-8, CAP-13: a damaged conversation gets back what was said, and its turns', async () => {
  const said = ['user: How is green tea steeped?', 'assistant: Below boiling, for two minutes.'];
  const [head = '', line = '', end = ''] = exportOf(1).split('\n');
  const record = { ...JSON.parse(line), captureMode: 'conversation', deletedAt: null, text: said.join('\n\n') };
  record.turns = { count: 2, starts: [0, (said[0] ?? '').length + 2] };
  await writeFile(join(cli.folder, 'said.jsonl'), `${[head, JSON.stringify(record), end].join('\n')}\n`);
  await cli.json(['import', 'said.jsonl']);
  const before = await cli.json(['show', record.id]);
  expect(before.turns).toHaveLength(2);
  await cli.json(['backup']);
  damage(join(cli.folder, 'data', 'recollect.db'));
  expect(await cli.json(['show', record.id])).toMatchObject({
    damaged: true,
    text: expect.stringContaining('freezing'),
  });
  const restored = await cli.json(['restore', '--memory', record.id]);
  expect(restored).toMatchObject({ changed: ['text'], changeId: expect.any(String) });
  const { text, turns, textHash, damaged } = await cli.json(['show', record.id]);
  expect({ text, turns, textHash, damaged }).toEqual({
    text: before.text,
    turns: before.turns,
    textHash: before.textHash,
    damaged: false,
  });
  // The damaged text is not what was said.
  expect(await cli.run(['undo', restored.changeId])).toMatchObject({
    code: 1,
    err: expect.stringContaining('The text of a conversation cannot be changed.'),
  });
});
