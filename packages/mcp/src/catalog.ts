import { dailyReview, type Prompt, recall } from './prompts.js';
import { memories, type Resources } from './resources.js';
import { fetch } from './tools/fetch.js';
import { forget } from './tools/forget.js';
import { highlights } from './tools/highlights.js';
import { recent } from './tools/recent.js';
import { related } from './tools/related.js';
import { save } from './tools/save.js';
import { search } from './tools/search.js';
import { tags } from './tools/tags.js';
import type { Tool } from './tools/tool.js';
import { update } from './tools/update.js';

/** The features of a server for assistants, in the order of its lists. */
export interface Catalog {
  tools: readonly Tool[];
  prompts: readonly Prompt[];
  resources: Resources;
}

/** The features of Recollect. */
export const memoryCatalog: Catalog = {
  tools: [search, fetch, recent, related, highlights, tags, save, update, forget],
  prompts: [recall, dailyReview],
  resources: memories,
};
