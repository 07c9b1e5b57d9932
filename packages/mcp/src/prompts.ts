import { limits } from '@recollect/contract/limits';
import { sliceText } from '@recollect/contract/text';
import { visibleText } from './quoting/inert-text.js';
import { recent } from './tools/recent.js';
import { search } from './tools/search.js';
import type { ToolCall } from './tools/tool.js';

/** A prompt of the server, which a user picks to start a conversation. */
export interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: readonly { name: string; description: string; required: boolean }[];
  /** Returns the text that the conversation starts with. */
  write(args: Readonly<Record<string, string>>, call: ToolCall): Promise<string>;
}

const DAY_MS = 86_400_000;
const MAX_RESULTS = 30;

/** Reviews the memories of the last 24 hours. */
export const dailyReview: Prompt = {
  name: 'daily-review',
  title: 'Review the day',
  description: 'Your memories of the last 24 hours, grouped by topic, and what is worth coming back to.',
  arguments: [],
  async write(_, call) {
    const since = new Date(Date.now() - DAY_MS).toISOString();
    const { text } = await recent.run({ limit: MAX_RESULTS, since }, call);
    return [
      'Review what I have saved in my memory in the last 24 hours.',
      'Group it by topic. Say in a sentence or two what each group is about, and give the title and the URL or id of each memory. End with the two or three that are worth coming back to, and why. If an excerpt is too short, read the whole text with fetch.',
      text,
    ].join('\n\n');
  },
};

const MAX_RECALLED = 8;

/** Summarises the memories on a topic. */
export const recall: Prompt = {
  name: 'recall',
  title: 'Recall a topic',
  description: 'A summary of what you have saved on a topic, with its sources.',
  arguments: [{ name: 'topic', description: 'what to recall, in a few words', required: true }],
  async write({ topic = '' }, call) {
    const query = sliceText(visibleText(topic).trim(), 0, limits.query.length);
    const { text } = await search.run({ query, limit: MAX_RECALLED }, call);
    return [
      `What have I saved in my memory about this topic: ${query}`,
      'Summarise these memories, and say what is missing. For each statement, give the title and the URL or id of its memory. If an excerpt is too short, read the whole text with fetch. If these memories do not answer, search again in other words.',
      text,
    ].join('\n\n');
  },
};
