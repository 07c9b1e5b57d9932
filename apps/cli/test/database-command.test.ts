import { expect, test } from 'vitest';
import { createCli } from './run-cli.js';

test('CLI-15: distributes no store in a file', async () => {
  const cli = await createCli({ RECOLLECT_EMBEDDINGS: 'off' });
  try {
    const { code, err } = await cli.run(['database', 'distribute']);
    expect(code).toBe(78);
    expect(err).toContain('Move it into a database with recollect migrate first.');
  } finally {
    await cli.remove();
  }
});
