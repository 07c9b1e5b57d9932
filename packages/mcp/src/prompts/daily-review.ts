import { recent } from '../tools/recent.js';
import type { Prompt } from './prompt.js';

const DAY = 86_400_000;
const RESULTS = 30;

/** Reviews the memories of the last 24 hours. */
export const dailyReview: Prompt = {
  name: 'daily-review',
  title: 'Review the day',
  description: 'Your memories of the last 24 hours, grouped by topic, and what is worth coming back to.',
  arguments: [],
  async write(_, call) {
    const since = new Date(Date.now() - DAY).toISOString();
    const { text } = await recent.run({ limit: RESULTS, since }, call);
    return [
      'Review what I have saved in my memory in the last 24 hours.',
      'Group it by topic. Say in a sentence or two what each group is about, and give the title and the URL or id of each memory. End with the two or three that are worth coming back to, and why. If an excerpt is too short, read the whole text with fetch.',
      text,
    ].join('\n\n');
  },
};
