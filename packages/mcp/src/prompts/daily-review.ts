import { recent } from '../tools/recent.js';
import type { Prompt } from './prompt.js';

const DAY = 86_400_000;
const RESULTS = 30;

/** What the user has saved in the last 24 hours. */
export const dailyReview: Prompt = {
  name: 'daily-review',
  title: 'Review the day',
  description: 'What you have saved in the last 24 hours, by topic, with what is worth coming back to.',
  arguments: [],
  async write(_, call) {
    const since = new Date(Date.now() - DAY).toISOString();
    const { text } = await recent.run({ limit: RESULTS, since }, call);
    return [
      'Review what I have saved in my memory in the last 24 hours.',
      'Group it by topic, say in a sentence or two what each group is about, name the title and the address or id of each memory, and end with the two or three that are worth coming back to, and why. Read a whole text with fetch where an excerpt is too short.',
      text,
    ].join('\n\n');
  },
};
