import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chooseTags } from '../src/auto-tag/choose-tags.js';
import { openPlugins, type Plugins } from './open-plugins.js';

describe('chooseTags', () => {
  const voter = fc.record({
    tags: fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c', 'd')),
    ownTags: fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c', 'd')),
    similarity: fc.double({ min: -1, max: 1, noNaN: true }),
  });

  test('proposes only tags that a person gave to near neighbours, with their share of the votes', () => {
    fc.assert(
      fc.property(fc.array(voter, { maxLength: 15 }), (voters) => {
        const proposals = chooseTags(voters, ['d']);
        for (const { tag, confidence } of proposals) {
          const givers = voters.filter(
            ({ tags, ownTags, similarity }) => similarity >= 0.3 && tags.includes(tag) && !ownTags.includes(tag),
          );
          expect(givers.length).toBeGreaterThan(0);
          if (givers.length === 1) expect(confidence).toBeLessThanOrEqual(0.5);
          expect(confidence).toBeGreaterThan(0);
          expect(confidence).toBeLessThanOrEqual(1);
          expect(tag).not.toBe('d');
        }
        const confidences = proposals.map(({ confidence }) => confidence);
        expect(confidences).toEqual([...confidences].sort((a, b) => b - a));
      }),
    );
  });
});

describe('auto-tag', () => {
  let open: Plugins;
  beforeEach(async () => {
    open = await openPlugins();
    for (const leaf of ['green', 'black', 'white'])
      await open.capture(`${leaf} tea leaves in hot water`, { tags: ['tea'] });
    for (const place of ['hive', 'garden', 'field'])
      await open.capture(`bees dance in the ${place}`, { tags: ['bees'] });
  });
  afterEach(() => open.close());

  test('gives a new memory without tags the tags of its neighbours and does not change other memories', async () => {
    await open.install('auto-tag');
    const tea = await open.capture('oolong tea leaves in hot water');
    const tagged = await open.capture('red tea leaves in hot water', { tags: ['mine'] });
    await open.core.events.deliver();
    expect((await open.get(tea)).tags).toEqual(['tea']);
    expect((await open.get(tea)).metadata).toEqual({ plugins: { 'auto-tag': { tags: ['tea'], proposed: [] } } });
    expect((await open.get(tagged)).tags).toEqual(['mine']);
  });

  test('notes tags below the confidence without writing them', async () => {
    await open.install('auto-tag', { confidence: 0.9 });
    const both = await open.capture('bees dance tea leaves hot water');
    await open.core.events.deliver();
    const { tags, metadata } = await open.get(both);
    expect(tags).toEqual([]);
    const { proposed } = (metadata.plugins as { 'auto-tag': { proposed: { tag: string }[] } })['auto-tag'];
    expect(proposed.map(({ tag }) => tag).sort()).toEqual(['bees', 'tea']);
  });

  test('PLG-1: the job tags existing memories', async () => {
    const before = await open.capture('herbal tea leaves in hot water');
    const strange = await open.capture('quantum chromodynamics');
    await open.install('auto-tag');
    const result = await open.run('auto-tag', 'backfill');
    expect(result).toMatchObject({ status: 'success', summary: '1 tagged, 1 without a confident tag.' });
    // Tags that the user removed do not come back.
    await open.core.memories.update('local', before, { tags: [] });
    expect(await open.run('auto-tag', 'backfill')).toMatchObject({ summary: '0 tagged, 2 without a confident tag.' });
    expect((await open.get(before)).tags).toEqual([]);
    await open.core.memories.update('local', before, { tags: ['tea'] });
    expect((await open.get(before)).tags).toEqual(['tea']);
    expect((await open.get(strange)).tags).toEqual([]);
    expect((await open.run('auto-tag', 'backfill')).summary).toBe('0 tagged, 1 without a confident tag.');
  });

  test('PLG-1: the job reports missing embeddings', async () => {
    const bare = await openPlugins({ withModel: false });
    try {
      await bare.capture('tea');
      await bare.install('auto-tag');
      expect(await bare.run('auto-tag', 'backfill')).toMatchObject({
        status: 'warning',
        details: ['0 already have tags.', '1 have no embedding yet. Run recollect reindex.'],
      });
    } finally {
      await bare.close();
    }
  });
});
