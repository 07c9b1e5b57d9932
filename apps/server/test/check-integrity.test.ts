import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCore, LOCAL_USER } from '@recollect/core';
import { openStorage } from '@recollect/storage';
import { expect, test } from 'vitest';
import { checkIntegrity } from '../src/check-integrity.js';

test('REL-6: the server checks every memory in the background and logs the damaged ones', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  const path = join(folder, 'recollect.db');
  const open = () => openStorage({ url: `sqlite:${path}` });
  let storage = await open();
  try {
    const captures = Array.from({ length: 70 }, (_, at) => ({
      title: `${at}`,
      pageText: `The tea number ${at} is green.`,
    }));
    const { answer } = await createCore(storage).capture(LOCAL_USER, captures);
    const id = answer.captures.find(({ title }) => title === '60')?.id;
    await storage.close();
    // One letter of the text is changed, as a disk would.
    const bytes = await readFile(path);
    const at = bytes.indexOf('The tea number 60 is green.');
    bytes.write('p', at + 4);
    await writeFile(path, bytes);
    storage = await open();
    const core = createCore(storage);
    const stopping = new AbortController();
    const warnings: string[] = [];
    const pauses: number[] = [];
    await checkIntegrity(core, stopping.signal, {
      quietFor: () => (pauses.length === 1 ? 0 : 60_000),
      warn: (sentence) => warnings.push(sentence),
      report: (_, error) => {
        throw error;
      },
      pause: async (milliseconds) => {
        pauses.push(milliseconds);
        if (milliseconds === 3_600_000) stopping.abort();
      },
    });
    expect(pauses).toEqual([60_000, 1_000, 10_000, 3_600_000]);
    expect(at).toBeGreaterThan(0);
    expect(warnings).toEqual([expect.stringContaining(`The memory ${id} does not match its checksum`)]);
    expect((await core.status(LOCAL_USER)).damaged).toMatchObject([{ id }]);
  } finally {
    await storage.close();
    await rm(folder, { recursive: true });
  }
});
