import { expect, test, vi } from 'vitest';
import { printTable } from '../src/terminal/print.js';

test('CLI-3: prints more rows than a call can take arguments, below one head', { tags: 'long' }, () => {
  const lines: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    for (const line of String(text).trimEnd().split('\n')) lines.push(line);
    return true;
  });
  const rows = Array.from({ length: 130_000 }, (_, at) => [`tag ${at}`, '1']);
  printTable([{ title: 'tag' }, { title: 'memories', width: 8 }], rows);
  write.mockRestore();
  expect(lines).toHaveLength(130_001);
  expect([lines[0]?.trim(), lines.at(-1)]).toEqual([expect.stringMatching(/^tag +memories$/), 'tag 129999    1']);
});
