import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findTopics, weighWords } from '../src/daily-digest/find-topics.js';
import { writeDigest } from '../src/daily-digest/write-digest.js';
import { openPlugins, type Plugins } from './open-plugins.js';

describe('findTopics', () => {
  const memory = fc.record({ id: fc.uuid(), title: fc.lorem({ maxCount: 3 }), text: fc.lorem({ maxCount: 20 }) });

  test('PLG-1: each memory is in at most one topic, and each topic has at least two memories, all with its word', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(memory, { maxLength: 12, selector: ({ id }) => id }), async (memories) => {
        const frequencies = async (words: readonly string[]) => ({ total: 1_000, counts: words.map(() => 5) });
        const captured = memories.map((one) => ({ id: one.id, words: weighWords(one) }));
        const topics = await findTopics(captured, frequencies, 5);
        const members = topics.flatMap((topic) => topic.memories);
        expect(new Set(members).size).toBe(members.length);
        expect(topics.length).toBeLessThanOrEqual(5);
        for (const topic of topics) {
          expect(topic.memories.length).toBeGreaterThan(1);
          for (const { words } of topic.memories) expect(words.has(topic.word)).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('PLG-1: names no topic after a stop word, even in a store of two memories', async () => {
    const memories = ['This comes with oolong from there', 'With this, oolong keeps from what there was'].map(
      (text, at) => ({ id: `${at}`, words: weighWords({ title: '', text }) }),
    );
    const frequencies = async (words: readonly string[]) => ({ total: 2, counts: words.map(() => 1) });
    expect((await findTopics(memories, frequencies, 5)).map(({ word }) => word)).toEqual(['oolong']);
  });

  test('PLG-1: does not use a word that is common in the store as a topic', async () => {
    const memories = ['alpha common words', 'alpha common phrase'].map((text, at) => ({
      id: `${at}`,
      words: weighWords({ title: text, text }),
    }));
    const frequencies = async (words: readonly string[]) => ({
      total: 1_000,
      counts: words.map((word) => (word === 'common' ? 900 : 2)),
    });
    expect((await findTopics(memories, frequencies, 5)).map(({ word }) => word)).toEqual(['alpha']);
  });
});

test('PLG-1: escapes titles in the Markdown of the digest', () => {
  const entries = [
    { id: '1', title: 'A ](http://evil.example) \n# title', url: 'https://www.tea.example/a?b=c', sourceType: 'url' },
    { id: '2', title: 'Note', url: null, sourceType: 'note' },
  ];
  expect(writeDigest(entries, [], '2026-01-30T12:00:00.000Z', '2026-01-31T12:00:00.000Z')).toBe(
    [
      'Captured from 2026-01-30 12:00 to 2026-01-31 12:00 UTC: 2 memories from 1 site.',
      '## Sites',
      '### Notes (1)',
      '- [Note](/memory/2)',
      '### tea.example (1)',
      '- [A \\](http://evil.example) # title](/memory/1) ([page](<https://www.tea.example/a?b=c>))',
    ].join('\n\n'),
  );
});

describe('daily-digest', () => {
  let open: Plugins;
  beforeEach(async () => {
    open = await openPlugins();
    await open.install('daily-digest');
  });
  afterEach(() => open.close());

  test('PLG-1: lists each capture in exactly one digest and leaves out digests', async () => {
    await open.capture('Brewing oolong slowly', { url: 'https://tea.example/1' });
    await open.capture('Oolong harvest begins', { url: 'https://tea.example/2' });
    await open.capture('Bees dance');
    const first = await open.run('daily-digest', 'digest');
    expect(first).toMatchObject({ status: 'success', details: ['oolong: 2'] });
    expect(first.summary).toMatch(/^3 memories from 1 site; the digest is /);
    const [digest] = await open.list();
    expect(digest).toMatchObject({
      tags: ['digest'],
      sourceApp: 'daily-digest',
      title: expect.stringMatching(/^Digest of 20/),
    });
    const { text } = await open.get(digest?.id ?? '');
    expect(text).toContain('### oolong (2)');
    expect(text).toMatch(
      /- \[Brewing oolong slowly\]\(\/memory\/[0-9a-f-]{36}\) \(\[page\]\(<https:\/\/tea\.example\/1>\)\)/,
    );

    open.clock.advance(60_000);
    expect((await open.run('daily-digest', 'digest')).summary).toMatch(/^Nothing was captured since 20/);
    expect((await open.list()).length).toBe(4);
  });
});
