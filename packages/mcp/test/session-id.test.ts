import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSessionId, readSessionId } from '../src/serving/http-handler.js';

test('MCP-1: a session id names the client, is visible ASCII, and is unique', () => {
  const visible = fc
    .string({ minLength: 1, maxLength: 20 })
    .filter((text) => text.trim() === text && !/ {2}/.test(text));
  fc.assert(
    fc.property(visible, visible, (name, version) => {
      const id = createSessionId({ name: `n${name}n`, version: `v${version}v` });
      expect(id).toMatch(/^[!-~]+$/);
      expect(readSessionId(id)?.name.startsWith('n')).toBe(true);
      expect(createSessionId({ name, version })).not.toBe(createSessionId({ name, version }));
    }),
  );
  expect(readSessionId(createSessionId({ name: 'claude-ai', version: '1.2' }))).toEqual({
    name: 'claude-ai',
    version: '1.2',
  });
  expect(readSessionId(createSessionId(null))).toBeNull();
});

test('MCP-1: a session id from elsewhere names no client and throws no error', () => {
  fc.assert(fc.property(fc.string(), (id) => void readSessionId(id)));
  for (const id of [
    undefined,
    '',
    '.',
    'x.y',
    `x.${Buffer.from('{"name":1}').toString('base64url')}`,
    'x'.repeat(5_000),
  ]) {
    expect(readSessionId(id)).toBeNull();
  }
});
