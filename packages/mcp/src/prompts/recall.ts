import { limits } from '@recollect/contract/limits';
import { visibleText } from '../quoting/inert-text.js';
import { search } from '../tools/search.js';
import type { Prompt } from './prompt.js';

const RESULTS = 8;

/** What the user has saved on a topic. */
export const recall: Prompt = {
  name: 'recall',
  title: 'Recall a topic',
  description: 'What you have saved on a topic, put together with its sources.',
  arguments: [{ name: 'topic', description: 'what to recall, in a few words', required: true }],
  async write({ topic = '' }, call) {
    const query = visibleText(topic).trim().slice(0, limits.query.length).toWellFormed();
    const { text } = await search.run({ query, limit: RESULTS }, call);
    return [
      `What have I saved in my memory about this topic: ${query}`,
      'Put together what is there, and say what is not. Name the title and the address or id of the memory behind each statement. Read a whole text with fetch where an excerpt is too short, and search again in other words if these do not answer.',
      text,
    ].join('\n\n');
  },
};
