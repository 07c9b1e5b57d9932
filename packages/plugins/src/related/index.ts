import { definePlugin, type MemoryClient, Type } from '@recollect/plugin-runtime';

/** The annotation of a memory: its nearest neighbours. Ids only, because a title may change or be deleted. */
interface Note {
  links: { id: string; similarity: number }[];
  /** The settings used. Memories linked with other settings are linked again. */
  settings: string;
}

interface Configuration {
  most: number;
  similarity: number;
  ignore: string[];
}

/** Maximum number of memories linked per run. The next run continues. */
const MAX_LINKED = 2_000;

const settingsOf = ({ most, similarity, ignore }: Configuration) => JSON.stringify([most, similarity, ignore]);
/** Number of extra neighbours requested, because some may be ignored. */
const SPARE_NEIGHBOURS = 10;

const isIgnored = (tags: readonly string[], { ignore }: Configuration) => tags.some((tag) => ignore.includes(tag));

/** Links a memory to its neighbours and returns their ids. Null while it has no embedding. */
async function link(memory: MemoryClient, id: string, configuration: Configuration): Promise<string[] | null> {
  const neighbours = await memory.neighbours(id, { limit: configuration.most + SPARE_NEIGHBOURS });
  if (neighbours === null) return null;
  const links = neighbours
    .filter(({ similarity, tags }) => similarity >= configuration.similarity && !isIgnored(tags, configuration))
    .slice(0, configuration.most)
    .map(({ id: other, similarity }) => ({ id: other, similarity: Math.round(similarity * 100) / 100 }));
  const note: Note = { links, settings: settingsOf(configuration) };
  await memory.annotate(id, note);
  return links.map(({ id: other }) => other);
}

export default definePlugin({
  slug: 'related',
  version: '1.0.0',
  title: 'Related memories',
  description: 'Links each memory to the most similar ones. recollect show ID shows the links.',
  scopes: ['search', 'list', 'tag'],
  configuration: Type.Object({
    most: Type.Integer({ default: 5, minimum: 1, maximum: 20, description: 'Maximum number of links per memory' }),
    similarity: Type.Number({
      default: 0.35,
      minimum: 0,
      maximum: 1,
      description: 'Minimum similarity of related memories',
    }),
    ignore: Type.Array(Type.String(), { default: ['digest'], description: 'Memories with these tags are left out' }),
  }),
  jobs: {
    link: {
      title: 'Link new memories to the most similar ones',
      defaultIntervalMinutes: 60,
      async run({ memory, configuration, signal }) {
        const settings = settingsOf(configuration);
        const linked = new Set<string>();
        const neighbours = new Set<string>();
        let waiting = 0;
        let cursor: string | null = null;
        do {
          const page = await memory.list({ limit: 100, cursor });
          const unlinked = page.memories.filter(
            ({ annotation, tags }) =>
              (annotation as Note | null)?.settings !== settings && !isIgnored(tags, configuration),
          );
          for (const { id } of unlinked) {
            if (signal.aborted || linked.size >= MAX_LINKED) break;
            const related = await link(memory, id, configuration);
            if (related === null) waiting += 1;
            else linked.add(id);
            for (const other of related ?? []) neighbours.add(other);
          }
          cursor = page.nextCursor;
        } while (cursor !== null && !signal.aborted && linked.size < MAX_LINKED);

        // A new memory may now be among the nearest neighbours of its neighbours.
        const touched = [...neighbours].filter((id) => !linked.has(id));
        for (const id of touched) if (!signal.aborted) await link(memory, id, configuration);
        const isComplete = cursor === null && !signal.aborted;
        return {
          status: waiting > 0 ? 'warning' : 'success',
          summary:
            linked.size === 0
              ? 'Nothing new to link.'
              : `${linked.size} ${linked.size === 1 ? 'memory' : 'memories'} linked.`,
          details: [
            ...(touched.length > 0 ? [`${touched.length} of their neighbours were linked again.`] : []),
            ...(waiting > 0 ? [`${waiting} have no embedding yet. Run recollect reindex.`] : []),
            ...(isComplete ? [] : ['The next run continues with the rest.']),
          ],
        };
      },
    },
  },
});
