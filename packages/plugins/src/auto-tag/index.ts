import { definePlugin, type MemoryClient, Type } from '@recollect/plugin-runtime';
import { chooseTags, type Proposal } from './choose-tags.js';

/** What is kept on a memory: what was written, and what was not sure enough. */
interface Note {
  tags: string[];
  proposed: Proposal[];
}

interface Configuration {
  confidence: number;
  mostTags: number;
  ignore: string[];
}

/** Neighbours that are asked. */
const NEIGHBOURS = 15;

/** Gives a memory without tags those that its neighbours have. `waiting`: it has no embedding yet. */
async function tagMemory(
  memory: MemoryClient,
  { id, tags }: { id: string; tags: readonly string[] },
  { confidence, mostTags, ignore }: Configuration,
): Promise<'tagged' | 'unsure' | 'waiting' | 'has tags'> {
  if (tags.length > 0) return 'has tags';
  const neighbours = await memory.neighbours(id, { limit: NEIGHBOURS });
  if (neighbours === null) return 'waiting';
  const voters = neighbours.map((neighbour) => ({
    tags: neighbour.tags,
    ownTags: (neighbour.annotation as Note | null)?.tags ?? [],
    similarity: neighbour.similarity,
  }));
  const proposals = chooseTags(voters, ignore).slice(0, 10);
  const sure = proposals.filter((proposal) => proposal.confidence >= confidence).slice(0, mostTags);
  const note: Note = {
    tags: sure.map(({ tag }) => tag),
    proposed: proposals.filter((proposal) => !sure.includes(proposal)),
  };
  await memory.annotate(id, note);
  if (sure.length === 0) return 'unsure';
  await memory.addTags(id, note.tags);
  return 'tagged';
}

export default definePlugin({
  slug: 'auto-tag',
  version: '1.0.0',
  title: 'Tags from neighbours',
  description:
    'Gives a new memory without tags those of your own tags that the memories nearest to it have; what is not sure enough is only noted.',
  scopes: ['search', 'list', 'tag'],
  configuration: Type.Object({
    confidence: Type.Number({
      default: 0.6,
      minimum: 0,
      maximum: 1,
      description: 'Share of the neighbours, by similarity, that must have a tag',
    }),
    mostTags: Type.Integer({ default: 3, minimum: 1, maximum: 10, description: 'Tags written on one memory at most' }),
    ignore: Type.Array(Type.String(), {
      default: ['dead-link', 'digest'],
      description: 'Tags that are never proposed',
    }),
  }),

  async onCapture({ memory: captured }, { memory, configuration, logger }) {
    const outcome = await tagMemory(memory, captured, configuration);
    if (outcome === 'waiting') logger.info(`${captured.id} has no embedding yet; the job backfill takes it up.`);
  },

  jobs: {
    backfill: {
      title: 'Tag the memories that were there before',
      async run({ memory, configuration, signal }) {
        const counts = { tagged: 0, unsure: 0, waiting: 0, 'has tags': 0 };
        let cursor: string | null = null;
        do {
          const page = await memory.list({ limit: 100, cursor });
          for (const found of page.memories) {
            if (signal.aborted) break;
            // One that was looked at and left alone is looked at again: its neighbours may have tags by now.
            counts[await tagMemory(memory, found, configuration)] += 1;
          }
          cursor = page.nextCursor;
        } while (cursor !== null && !signal.aborted);
        return {
          status: counts.waiting > 0 ? 'warning' : 'success',
          summary: `${counts.tagged} tagged; for ${counts.unsure} no tag was sure enough.`,
          details: [
            `${counts['has tags']} have tags already.`,
            ...(counts.waiting > 0 ? [`${counts.waiting} have no embedding yet: recollect reindex makes them.`] : []),
          ],
        };
      },
    },
  },
});
