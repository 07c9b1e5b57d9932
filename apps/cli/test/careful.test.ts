import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cli, createCli } from './run-cli.js';

const SWITCHED_OFF = 'Careful search is switched off, so the results are in the usual order.';

let cli: Cli;
beforeAll(async () => {
  cli = await createCli();
  await cli.save('Someone asked what bees eat.', '--title', 'Bees');
  await cli.save('Bees fill the combs of the hive with nectar and pollen, their food in winter.', '--title', 'Hives');
});
afterAll(() => cli.remove());

test('QRY-17: search --careful has the reranker decide the order, or says why it did not', async () => {
  const { code, out, err } = await cli.run(['search', '--careful', '--json', 'what bees eat']);
  const answer = JSON.parse(out);
  expect([code, answer.results.length]).toEqual([0, 2]);
  // A busy machine may need longer than there is time.
  if (answer.careful) expect(err).not.toContain('Careful search');
  else expect(err).toMatch(/Careful search took too long|too busy for careful search/);
});

test('RECOLLECT_CAREFUL: off leaves the usual order, and says so, with and without a server', async () => {
  const env = { RECOLLECT_CAREFUL: 'off' };
  const search = async (more: Record<string, string>) => {
    const { code, err } = await cli.run(['search', '--careful', 'what bees eat'], { env: more });
    // The model of the embeddings may be late too.
    return [code, err.split('\n').at(-2)];
  };
  expect(await search(env)).toEqual([0, SWITCHED_OFF]);
  expect(await search({ RECOLLECT_EMBEDDINGS: 'off' })).toEqual([0, SWITCHED_OFF]);
  const server = await cli.serve(env);
  expect(await search({})).toEqual([0, SWITCHED_OFF]);
  await server.stop();
  const { code, err } = await cli.run(['recent'], { env: { RECOLLECT_CAREFUL: 'maybe' } });
  expect(code).toBe(78);
  expect(err).toContain('RECOLLECT_CAREFUL must be on or off.');
});
