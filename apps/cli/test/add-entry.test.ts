import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addEntry, UneditableError } from '../src/mcp-clients/add-entry.js';
import { clients, type Launch } from '../src/mcp-clients/clients.js';

const launch: Launch = {
  command: '/opt/node',
  args: ['/opt/recollect/main.js', 'mcp'],
  env: { RECOLLECT_DATA_DIR: '/data' },
};
const { cursor, vscode } = clients;
if (cursor === undefined || vscode === undefined) throw new Error('The clients cursor and vscode are missing.');

describe("a client's file", () => {
  test('MCP-1: keeps comments, trailing commas, tabs and the existing order', () => {
    const before =
      '{\n\t// mine\n\t"inputs": [],\n\t"servers": {\n\t\t"other": { "type": "http", "url": "u" }, // keep\n\t},\n}\n';
    const after = addEntry(before, vscode, launch);
    for (const line of before.split('\n')) expect(after.split('\n')).toContain(line);
    expect(after).toContain('\n\t\t"recollect": {\n\t\t\t"type": "stdio",\n\t\t\t"command": "/opt/node",');
    expect(addEntry(after, vscode, launch)).toBe(after);
  });

  test('MCP-1: keeps unknown fields of an existing entry and removes its URL', () => {
    const own = { command: 'old', url: 'http://x', disabled: true, env: { MINE: '1', RECOLLECT_DATA_DIR: 'old' } };
    const after = JSON.parse(addEntry(JSON.stringify({ mcpServers: { recollect: own } }), cursor, launch));
    expect(after.mcpServers.recollect).toEqual({
      command: '/opt/node',
      args: ['/opt/recollect/main.js', 'mcp'],
      disabled: true,
      env: { MINE: '1', RECOLLECT_DATA_DIR: '/data' },
    });
  });

  test('MCP-1: fills an empty file and rejects one that it cannot edit', () => {
    for (const empty of ['', '\n', '{}']) {
      expect(JSON.parse(addEntry(empty, cursor, launch)).mcpServers.recollect.command).toBe('/opt/node');
    }
    for (const broken of [
      '{',
      '[]',
      'null',
      '"x"',
      '{"mcpServers": []}',
      '{"mcpServers": 1}',
      '{"a": }',
      '{"mcpServers": {}, "mcpServers": {}}',
    ]) {
      expect(() => addEntry(broken, cursor, launch)).toThrow(UneditableError);
    }
  });

  test('MCP-1: keeps a byte order mark, line endings and single-line text, and treats null as absent', () => {
    const marked = addEntry('\ufeff{\r\n    "theme": "dark"\r\n}\r\n', cursor, launch);
    expect(marked.startsWith('\ufeff{\r\n    "mcpServers": {\r\n        "recollect"')).toBe(true);
    expect(marked.replaceAll('\r\n', '')).not.toContain('\n');
    const line = addEntry('{"mcpServers":{"a":{"command":"x"}},"theme":"dark"}', cursor, launch);
    expect([line.includes('\n'), line.endsWith('"a":{"command":"x"}},"theme":"dark"}')]).toEqual([false, true]);
    const none = JSON.parse(addEntry('{"mcpServers": null, "x": 1}', cursor, launch));
    expect([none.x, none.mcpServers.recollect.command]).toEqual([1, '/opt/node']);
  });

  test('MCP-1: removes our settings that are no longer set and keeps the user’s own', () => {
    const before = addEntry('{}', cursor, {
      ...launch,
      env: { RECOLLECT_DATA_DIR: '/data', RECOLLECT_EMBEDDINGS: 'off' },
    });
    const own = before.replace('"env": {', '"env": {"MINE": "1",');
    const after = JSON.parse(
      addEntry(own, cursor, { ...launch, env: { RECOLLECT_DATA_DIR: null, RECOLLECT_EMBEDDINGS: 'off' } }),
    );
    expect(after.mcpServers.recollect.env).toEqual({ MINE: '1', RECOLLECT_EMBEDDINGS: 'off' });
    const bare = JSON.parse(
      addEntry(before, cursor, { ...launch, env: { RECOLLECT_DATA_DIR: null, RECOLLECT_EMBEDDINGS: null } }),
    );
    expect(bare.mcpServers.recollect).toEqual({ command: '/opt/node', args: ['/opt/recollect/main.js', 'mcp'] });
  });

  test('MCP-1: keeps all other content, and a second run changes nothing', () => {
    const names = fc.string().filter((name) => name !== 'mcpServers' && name !== 'recollect' && name !== '__proto__');
    const others = fc.dictionary(names, fc.jsonValue());
    fc.assert(
      fc.property(others, others, (root, servers) => {
        const before = { ...root, mcpServers: servers };
        const after = addEntry(JSON.stringify(before, null, 2), cursor, launch);
        const { recollect, ...rest } = JSON.parse(after).mcpServers;
        const { mcpServers: _, ...else_ } = JSON.parse(after);
        expect([else_, rest, recollect.command]).toEqual([
          JSON.parse(JSON.stringify(root)),
          JSON.parse(JSON.stringify(servers)),
          '/opt/node',
        ]);
        expect(addEntry(after, cursor, launch)).toBe(after);
      }),
    );
  });
});
