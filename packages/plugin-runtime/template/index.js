import { definePlugin, Type } from '@recollect/plugin-runtime';

/** How many minutes a text takes to read, at least one. */
export function minutesToRead(text, wordsPerMinute) {
  const words = text.split(/\s+/).filter((word) => word !== '').length;
  return Math.max(1, Math.round(words / wordsPerMinute));
}

export default definePlugin({
  slug: 'reading-time',
  version: '0.1.0',
  title: 'Reading time',
  description: 'Notes how long each memory takes to read, and tags the long ones.',
  // What it may ask of the memories: search, read, list, tag, save.
  scopes: ['list', 'tag'],
  configuration: Type.Object({
    wordsPerMinute: Type.Integer({ default: 220, minimum: 50, maximum: 1000, description: 'How fast you read' }),
    longFrom: Type.Integer({ default: 10, minimum: 1, description: 'Minutes from which on a text is a long read' }),
  }),

  // After each capture. It may come twice for the same event, so it does what does no harm twice.
  async onCapture({ memory: captured }, { memory, configuration, logger }) {
    const minutes = minutesToRead(captured.text, configuration.wordsPerMinute);
    await memory.annotate(captured.id, { minutes });
    if (minutes >= configuration.longFrom) await memory.addTags(captured.id, ['long-read']);
    logger.info(`${captured.title}: ${minutes} min`);
  },

  jobs: {
    // recollect plugins run reading-time count
    count: {
      title: 'Count the long reads',
      defaultIntervalMinutes: 1440,
      async run({ memory }) {
        const { memories } = await memory.list({ tag: 'long-read', limit: 100 });
        return {
          summary: `${memories.length} long reads.`,
          details: memories.map(({ title }) => title),
        };
      },
    },
  },
});
