import { limits } from '@recollect/contract/limits';
import { sliceText } from '@recollect/contract/text';
import { visibleText } from '../quoting/inert-text.js';
import { search } from '../tools/search.js';
import type { Prompt } from './prompt.js';

const RESULTS = 8;

/** Summarises the memories on a topic. */
export const recall: Prompt = {
  name: 'recall',
  title: 'Recall a topic',
  description: 'A summary of what you have saved on a topic, with its sources.',
  arguments: [{ name: 'topic', description: 'what to recall, in a few words', required: true }],
  async write({ topic = '' }, call) {
    const query = sliceText(visibleText(topic).trim(), 0, limits.query.length);
    const { text } = await search.run({ query, limit: RESULTS }, call);
    return [
      `What have I saved in my memory about this topic: ${query}`,
      'Summarise these memories, and say what is missing. For each statement, give the title and the URL or id of its memory. If an excerpt is too short, read the whole text with fetch. If these memories do not answer, search again in other words.',
      text,
    ].join('\n\n');
  },
};
