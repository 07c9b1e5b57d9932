import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openArticleExtractor } from '@recollect/extraction';
import { describe, expect, test, vi } from 'vitest';

const PAGE = `<article><h1>Kites</h1>${'<p>A kite needs a tail, a line and a hill with wind.</p>'.repeat(2_000)}</article>`;

describe('SEC-11: the process that reads documents', () => {
  test('SEC-11: does not count the memory of its host', async () => {
    const extractor = openArticleExtractor({ timeLimit: 120_000, memoryLimit: 250_000_000 });
    await extractor.extract('<p>Warm.</p>', null);
    const reading = extractor.extract(PAGE, null);
    // In steps, so that the memory watch gets its turns.
    const grown: Buffer[] = [];
    for (let step = 0; step < 8; step++) {
      grown.push(Buffer.alloc(50_000_000, 1));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect((await reading).warning).toBeUndefined();
    expect(grown).toHaveLength(8);
    await extractor.close();
  });

  test('CAP-19: rejects documents beyond those that may wait, and says when to try again', async () => {
    const extractor = openArticleExtractor({ timeLimit: 120_000 });
    const ask = (caller: string) =>
      extractor.extract('<p>A small page.</p>', null, { caller }).then(
        ({ text }) => text,
        ({ code, retryAfter }) => [code, retryAfter],
      );
    const answers = await Promise.all([...Array.from({ length: 60 }, () => ask('ann')), ask('ben')]);
    expect(answers.filter((answer) => answer === 'A small page.')).toHaveLength(50);
    expect(answers.at(-1)).toBe('A small page.');
    expect(answers[55]).toEqual(['UNAVAILABLE', 120]);
    await extractor.close();
  });

  test('REL-14: ends with its host', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'recollect-extraction-'));
    const library = fileURLToPath(new URL('../dist/index.js', import.meta.url));
    const program = `import { subscribe } from 'node:diagnostics_channel';
      import { openArticleExtractor } from ${JSON.stringify(library)};
      let reader;
      subscribe('child_process', ({ process }) => { reader = process; });
      await openArticleExtractor().extract('<p>A small page.</p>', null);
      console.log(reader.pid);
      setInterval(() => {}, 1_000);`;
    await writeFile(join(folder, 'program.mjs'), program);
    const host = spawn(process.execPath, [join(folder, 'program.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(host.stdout, 'data');
    const isRunning = () => {
      try {
        return process.kill(Number(line), 0);
      } catch {
        return false;
      }
    };
    expect(isRunning()).toBe(true);
    host.kill('SIGKILL');
    await vi.waitFor(() => expect(isRunning()).toBe(false), { timeout: 20_000 });
    await rm(folder, { recursive: true });
  });
});
