import { type Annotated, definePlugin, type MemoryClient, Type } from '@recollect/plugin-runtime';
import { type Captured, findTopics, weighWords } from './find-topics.js';
import { count, countSites, type Entry, writeDigest } from './write-digest.js';

const SLUG = 'daily-digest';
const DAY_MS = 86_400_000;
/** Number of memories whose text is read for topics. The others are only listed. */
const MAX_READ_MEMORIES = 300;
/** Maximum number of memories in a digest: an import can bring any number. */
const MAX_LISTED_MEMORIES = 10_000;
/** Number of texts held in memory at once: a text may be long. */
const AT_ONCE = 4;

/** The period of a digest. It is stored first, so that an interrupted run writes the same digest again. */
interface Period {
  since: string;
  until: string;
}

async function listPeriod(memory: MemoryClient, { since, until }: Period): Promise<Annotated[]> {
  const memories: Annotated[] = [];
  let cursor: string | null = null;
  do {
    const page = await memory.list({ since, until, limit: 100, cursor });
    memories.push(...page.memories.filter(({ sourceApp }) => sourceApp !== SLUG));
    cursor = page.nextCursor;
  } while (cursor !== null && memories.length < MAX_LISTED_MEMORIES);
  return memories;
}

async function readWords(memory: MemoryClient, found: readonly Annotated[]): Promise<Captured[]> {
  const captured: Captured[] = [];
  for (let at = 0; at < found.length; at += AT_ONCE) {
    const read = await Promise.all(found.slice(at, at + AT_ONCE).map(({ id }) => memory.get(id)));
    for (const one of read) if (one !== null) captured.push({ id: one.id, words: weighWords(one) });
  }
  return captured;
}

export default definePlugin({
  slug: SLUG,
  version: '1.0.0',
  title: 'Daily digest',
  description: 'Saves a note that lists the captures since the last digest, by topic and by site.',
  scopes: ['search', 'read', 'list', 'save'],
  configuration: Type.Object({
    topics: Type.Integer({ default: 8, minimum: 0, maximum: 30, description: 'Maximum number of topics per digest' }),
    tags: Type.Array(Type.String({ maxLength: 100 }), {
      default: ['digest'],
      maxItems: 10,
      description: 'Tags of the note',
    }),
  }),
  jobs: {
    digest: {
      title: 'Write a digest of the captures since the last one',
      defaultIntervalMinutes: 1_440,
      async run({ memory, state, configuration }) {
        const now = new Date();
        const last = (await state.get<string>('until')) ?? new Date(now.getTime() - DAY_MS).toISOString();
        const period = (await state.get<Period>('period')) ?? { since: last, until: now.toISOString() };
        const found = await listPeriod(memory, period);
        if (found.length === 0) {
          await state.set('until', period.until);
          await state.delete('period');
          return `Nothing was captured since ${period.since.slice(0, 16).replace('T', ' ')} UTC.`;
        }
        await state.set('period', period);
        const captured = await readWords(memory, found.slice(0, MAX_READ_MEMORIES));
        const topics = await findTopics(captured, (words) => memory.frequencies(words), configuration.topics);
        const entries: Entry[] = found;
        const days = [...new Set([period.since.slice(0, 10), period.until.slice(0, 10)])].join(' to ');
        const { id } = await memory.save({
          title: `Digest of ${days}`,
          text: writeDigest(entries, topics, period.since, period.until),
          tags: configuration.tags,
        });
        await state.set('until', period.until);
        await state.delete('period');
        return {
          summary: `${count(found.length, 'memory', 'memories')}${countSites(entries)}; the digest is ${id}.`,
          details: [
            ...topics.map(({ word, memories }) => `${word}: ${memories.length}`),
            ...(found.length >= MAX_LISTED_MEMORIES
              ? [`Only the newest of more than ${MAX_LISTED_MEMORIES} memories are included.`]
              : []),
          ],
        };
      },
    },
  },
});
