import { expect } from 'vitest';

/** The methods that the clients of both major versions of the SDK share. */
export interface AnyClient {
  getServerVersion(): { name: string } | undefined;
  getInstructions(): string | undefined;
  listTools(): Promise<{ tools: Listed[] }>;
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<Record<string, unknown>>;
  listResources(params?: {
    cursor?: string;
  }): Promise<{ resources: { uri: string; name: string }[]; nextCursor?: string }>;
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>;
  readResource(params: { uri: string }): Promise<{ contents: unknown[] }>;
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  getPrompt(params: {
    name: string;
    arguments?: Record<string, string>;
  }): Promise<{ messages: { content: unknown }[] }>;
  complete(params: {
    ref: { type: 'ref/resource'; uri: string } | { type: 'ref/prompt'; name: string };
    argument: { name: string; value: string };
  }): Promise<{ completion: { values: string[] } }>;
  close(): Promise<void>;
}

interface Listed {
  name: string;
  title?: string;
  description?: string;
  inputSchema: object;
  outputSchema?: object;
  annotations?: Record<string, unknown>;
}

/**
 * Uses every tool, resource and prompt as an assistant would. The client validates each answer by its output schema.
 */
export async function exerciseEverything(client: AnyClient, mark: string): Promise<void> {
  expect(client.getServerVersion()?.name).toBe('recollect');
  expect(client.getInstructions()).toContain('untrusted');

  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'search',
    'fetch',
    'recent',
    'related',
    'highlights',
    'tags',
    'save',
    'update',
    'forget',
  ]);
  for (const { name, title, description, inputSchema, outputSchema, annotations } of tools) {
    expect([name, title, inputSchema, outputSchema]).toEqual([
      name,
      expect.any(String),
      expect.any(Object),
      expect.any(Object),
    ]);
    expect(description).toMatch(/Use it /);
    expect(annotations).toMatchObject({
      readOnlyHint: !['save', 'update', 'forget'].includes(name),
      destructiveHint: ['update', 'forget'].includes(name),
      idempotentHint: true,
      openWorldHint: false,
    });
  }

  const call = async <T>(name: string, given: Record<string, unknown> = {}) => {
    const result = await client.callTool({ name, arguments: given });
    const text = (result.content as { text: string }[])[0]?.text ?? '';
    expect([name, result.isError ?? false, text]).toEqual([name, false, expect.any(String)]);
    return { text, ...(result.structuredContent as T) };
  };
  // Slightly longer than a page. A word of this length is a single token, so that its embedding is soon made.
  const hum = `B${'z'.repeat(150)}. `;
  const long = `Scouts of ${mark} dance for the cavity that they like, and the swarm follows. ${hum.repeat(205)}The end of it.`;
  const saved = await call<{ id: string; status: string }>('save', {
    text: long,
    title: `Swarms of ${mark}`,
    url: `https://bees.example/${mark}`,
    tags: ['bees'],
  });
  expect(saved.status).toBe('created');
  for (let count = 0; count < 10; count++) await call('save', { text: `Note ${count} of ${mark}.` });

  const { results, notice, text } = await call<{
    results: { id: string; url: string; text: string }[];
    notice: string;
  }>('search', { query: `insects choosing a nest ${mark}`, tag: 'bees', limit: 3 });
  expect(results[0]).toMatchObject({
    id: saved.id,
    url: `https://bees.example/${mark}`,
    text: expect.stringContaining('<<untrusted '),
  });
  expect([notice, text]).toEqual([expect.stringContaining('untrusted'), expect.stringContaining('untrusted')]);

  let whole = '';
  for (let offset: number | null = 0; offset !== null; ) {
    const page: { text: string; metadata: { nextOffset: number | null } } = await call('fetch', {
      id: saved.id,
      offset,
    });
    whole += /\n\n([\s\S]*)\n<<end of untrusted \w+>>$/.exec(page.text)?.[1] ?? '';
    offset = page.metadata.nextOffset;
  }
  expect(whole).toContain('The end of it.');

  const newest = await call<{ results: { id: string }[]; nextCursor: string }>('recent', { limit: 5 });
  const older = await call<{ results: { id: string }[] }>('recent', { limit: 5, cursor: newest.nextCursor });
  expect(new Set([...newest.results, ...older.results].map(({ id }) => id)).size).toBe(10);

  const mine = await call<{ results: { id: string }[] }>('recent', { tag: 'bees', by: 'mcp:tester', limit: 50 });
  expect(mine.results.map(({ id }) => id)).toContain(saved.id);
  expect((await call<{ results: unknown[] }>('recent', { by: 'extension' })).results).toEqual([]);

  const corrected = await call<{ changed: string[]; restore: string }>('update', {
    id: saved.id,
    note: `A note on ${mark}.`,
    addTags: [`swarms ${mark}`],
  });
  expect(corrected).toMatchObject({ changed: ['tags', 'note'], restore: expect.stringContaining('/undo') });
  const listed = await call<{ tags: object[] }>('tags');
  expect(listed.tags).toContainEqual(expect.objectContaining({ tag: `swarms ${mark}`, memories: 1 }));
  // The number of embedded memories depends on the machine's pace.
  const { results: similar } = await call<{ results: { id: string }[] }>('related', { id: saved.id, limit: 3 });
  expect([similar.length <= 3, similar.some(({ id }) => id === saved.id)]).toEqual([true, false]);
  expect((await call<{ results: object[] }>('highlights', { id: saved.id })).text).toContain('No marked passage');

  // The newer client fetches all pages itself.
  const uris: string[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const page = await client.listResources(cursor === '' ? {} : { cursor });
    uris.push(...page.resources.map(({ uri }) => uri));
    cursor = page.nextCursor;
  }
  expect([uris.length > 50, new Set(uris).size === uris.length, uris.includes(`memory://${saved.id}`)]).toEqual([
    true,
    true,
    true,
  ]);
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['memory://{id}']);
  const { contents } = await client.readResource({ uri: `memory://${saved.id}` });
  expect(contents).toEqual([expect.objectContaining({ text: expect.stringContaining('The end of it.') })]);
  const byId = {
    ref: { type: 'ref/resource' as const, uri: 'memory://{id}' },
    argument: { name: 'id', value: saved.id.slice(0, -1) },
  };
  expect((await client.complete(byId)).completion.values).toContain(saved.id);
  const byTag = { ref: { type: 'ref/prompt' as const, name: 'recall' }, argument: { name: 'topic', value: 'be' } };
  expect((await client.complete(byTag)).completion.values).toEqual(['bees']);

  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(['recall', 'daily-review']);
  // Only words of that text: on a slow machine the query's embedding may be late, and full text ranks short notes
  // first.
  const recalled = await client.getPrompt({
    name: 'recall',
    arguments: { topic: `scouts that dance for a cavity, ${mark}` },
  });
  expect(JSON.stringify(recalled.messages)).toContain(saved.id);
  expect(JSON.stringify((await client.getPrompt({ name: 'daily-review' })).messages)).toContain(`of ${mark}`);

  const forgotten = await call<{ restore: string }>('forget', { id: saved.id });
  expect(forgotten.restore).toContain(`recollect undelete ${saved.id}`);
  const gone = await client.callTool({ name: 'fetch', arguments: { id: saved.id } });
  expect(gone.isError).toBe(true);
}
