import type { QueryResult } from '@recollect/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cli, createCli } from './run-cli.js';

const MEMORIES = {
  'Sourdough starter': 'Feed the starter every morning with flour and water. When it doubles it is ready to bake with.',
  'Green tea': 'Steep green tea at 70 degrees for two minutes. Boiling water makes it bitter.',
  Bees: 'Bees dance to tell other bees where the flowers are. The waggle dance encodes direction and distance.',
  'Rent contract': 'The notice period of the flat is three months to the end of a month.',
  'Solar panels': 'Ten panels on the roof produce about 4,000 kWh a year; the inverter has a warranty of ten years.',
  Sleep: 'No screens an hour before bed and a cool dark room helped most.',
};

let cli: Cli;
beforeAll(async () => {
  cli = await createCli();
  // It loads the model once for all commands.
  await cli.serve();
  for (const [title, text] of Object.entries(MEMORIES)) await cli.save(text, '--title', title, '--wait');
});
afterAll(() => cli.remove());

const search = async (...args: string[]): Promise<QueryResult[]> => (await cli.search(...args)).results;

describe('scores, with the model that ships', () => {
  test('QRY-11: a query that nothing answers has no likely result', async () => {
    for (const query of ['asdf qwer zxcv', 'taylor swift concert tickets', 'xyzzy', 'how do volcanoes erupt']) {
      const [best] = await search(query);
      expect([query, (best?.score ?? 0) < 0.3]).toEqual([query, true]);
    }
  });

  test('QRY-11: an exact title, and a question in other words, have likely results', async () => {
    for (const title of Object.keys(MEMORIES))
      expect((await search(title))[0]).toMatchObject({ title, score: expect.toSatisfy((score) => score > 0.8) });
    for (const [query, title] of [
      ['how do insects communicate', 'Bees'],
      ['ending the lease', 'Rent contract'],
      ['how to fall asleep faster', 'Sleep'],
      ['electricity from the sun', 'Solar panels'],
    ] as const) {
      expect((await search(query))[0]).toMatchObject({ title, score: expect.toSatisfy((score) => score > 0.3) });
    }
  });

  test('QRY-14: a word that the model knows is not mistyped, and finds memories by its meaning', async () => {
    await cli.save('Scouts look for the best cavity, and the swarm follows.', '--title', 'Swarm', '--wait');
    expect(await cli.search('insects choosing a nest')).not.toHaveProperty('corrected');
    expect(await cli.search('insects chooosing a cavitty')).toMatchObject({
      corrected: { from: 'cavitty', to: 'cavity' },
    });
  });

  test('QRY-11: one word of two, said often, is not a likely answer', async () => {
    const text =
      'Writes pseudo-random bytes of a secure generator. It gets a new seed at start, and again when a process forks. ' +
      'The option -rand names files that seed it; -writerand writes the seed to a file at the end, for the next start.';
    await cli.save(text, '--title', 'rand.1ssl', '--wait');
    const [[one], [both]] = [await search('seed library'), await search('seed generator')];
    expect([one?.title, both?.title]).toEqual(['rand.1ssl', 'rand.1ssl']);
    expect(both?.score).toBeGreaterThan(0.95);
    expect(one?.score).toBeLessThan(0.7);
  });

  test('QRY-14: a real word that neither the store nor the model has is not replaced', async () => {
    await cli.save(
      'Parts of the kettle: lid, spout, whistle. Boil onions in another pot.',
      '--title',
      'Kettle',
      '--wait',
    );
    await cli.save('A cake of plums with a crust of butter.', '--title', 'Plum cake', '--wait');
    for (const [query, to] of [
      ['whittle', 'whistle'],
      ['onion cakey recipe', 'cake'],
    ] as const) {
      const answer = await cli.search(query);
      expect(answer).toMatchObject({ suggestion: { to } });
      expect(answer).not.toHaveProperty('corrected');
    }
  });

  test('QRY-11, CLI-6: says which results are weaker, and leaves them out on request', async () => {
    const { out } = await cli.run(['search', 'green tea']);
    const lines = out.split('\n').filter((line) => line.startsWith('@') || line === 'Weaker matches');
    expect(lines.slice(0, 2)).toEqual([expect.stringContaining('@1 Green tea'), 'Weaker matches']);
    expect((await search('green tea', '--min-score', '0.3')).map(({ title }) => title)).toEqual(['Green tea']);
    expect(await search('asdf qwer zxcv', '--min-score', '0.3')).toEqual([]);
    const nonsense = await cli.run(['search', 'asdf qwer zxcv']);
    expect(nonsense).toMatchObject({ code: 1, out: 'No matches.\n' });
    expect((await cli.run(['search', 'asdf qwer zxcv', '--min-score', '0'])).out).toContain('Weaker matches');
    const { code, err } = await cli.run(['search', 'tea', '--min-score', 'most']);
    expect([code, err]).toEqual([2, expect.stringContaining('--min-score must be a number from 0 to 1.')]);
  });
});
