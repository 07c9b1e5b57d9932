import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** An address of the server that lacks the base path. */
const WITHOUT_BASE = /\b(?:href|src|path)=(?:"|\{`)\/|\b(?:fetch|send|upload|route|assign)\(['`]\//;

test('SYS-10: addresses of the server in the web app are made with addressOf', () => {
  const root = new URL('../src/app/', import.meta.url);
  const files = globSync('**/*.{ts,tsx}', { cwd: root });
  expect(files.length).toBeGreaterThan(50);
  const lines = files.flatMap((file) =>
    readFileSync(new URL(file, root), 'utf8')
      .split('\n')
      .filter((line) => WITHOUT_BASE.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(lines).toEqual([]);
  for (const line of ['<a href="/docs">', "fetch('/healthz')", "route('/tags')"])
    expect([line, WITHOUT_BASE.test(line)]).toEqual([line, true]);
});
