import { definePlugin, type MemoryClient, Type } from '@recollect/plugin-runtime';
import { chooseTags, type Proposal } from './choose-tags.js';

/** The annotation of a memory: the tags written, and the proposals below the configured confidence. */
interface Note {
  tags: string[];
  proposed: Proposal[];
}

interface Configuration {
  confidence: number;
  mostTags: number;
  ignore: string[];
}

/** Number of neighbours that vote. */
const NEIGHBOURS = 15;

/** Gives a memory without tags the tags of its neighbours. `waiting`: it has no embedding yet. */
async function tagMemory(
  memory: MemoryClient,
  { id, tags, annotation }: { id: string; tags: readonly string[]; annotation: unknown },
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
  // A tag that it gave before, and that is gone, was removed by the user.
  const assignedTags = (annotation as Note | null)?.tags ?? [];
  const proposals = chooseTags(voters, [...ignore, ...assignedTags]).slice(0, 10);
  const sure = proposals.filter((proposal) => proposal.confidence >= confidence).slice(0, mostTags);
  const note: Note = {
    tags: [...assignedTags, ...sure.map(({ tag }) => tag)],
    proposed: proposals.filter((proposal) => !sure.includes(proposal)),
  };
  await memory.annotate(id, note);
  if (sure.length === 0) return 'unsure';
  await memory.addTags(
    id,
    sure.map(({ tag }) => tag),
  );
  return 'tagged';
}

export default definePlugin({
  slug: 'auto-tag',
  version: '1.0.0',
  title: 'Tags from neighbours',
  description: 'Tags new memories like the similar ones you tagged yourself. Tags below the confidence are only noted.',
  scopes: ['search', 'list', 'tag'],
  configuration: Type.Object({
    confidence: Type.Number({
      default: 0.6,
      minimum: 0,
      maximum: 1,
      description: 'Share of the neighbours, weighted by similarity, that must have a tag',
    }),
    mostTags: Type.Integer({ default: 3, minimum: 1, maximum: 10, description: 'Maximum number of tags per memory' }),
    ignore: Type.Array(Type.String(), {
      default: ['dead-link', 'digest'],
      description: 'Tags that are never proposed',
    }),
  }),

  async onCapture({ memory: captured }, { memory, configuration, logger }) {
    const outcome = await tagMemory(memory, { ...captured, annotation: null }, configuration);
    if (outcome === 'waiting') logger.info(`${captured.id} has no embedding yet. The job backfill tags it later.`);
  },

  jobs: {
    backfill: {
      title: 'Tag existing memories',
      async run({ memory, configuration, signal }) {
        const counts = { tagged: 0, unsure: 0, waiting: 0, 'has tags': 0 };
        let cursor: string | null = null;
        do {
          const page = await memory.list({ limit: 100, cursor });
          for (const found of page.memories) {
            if (signal.aborted) break;
            // Memories that stayed without tags are checked again, because their neighbours may have tags by now.
            counts[await tagMemory(memory, found, configuration)] += 1;
          }
          cursor = page.nextCursor;
        } while (cursor !== null && !signal.aborted);
        return {
          status: counts.waiting > 0 ? 'warning' : 'success',
          summary: `${counts.tagged} tagged, ${counts.unsure} without a confident tag.`,
          details: [
            `${counts['has tags']} already have tags.`,
            ...(counts.waiting > 0 ? [`${counts.waiting} have no embedding yet. Run recollect reindex.`] : []),
          ],
        };
      },
    },
  },
});
