import { differenceOf } from '../compare-memory.js';
import { isOk } from '../send.js';
import { writeQuestion } from '../write-text.js';
import type { Kind } from './kind.js';

/** A kind that sends a GET and does not judge the answer. */
function read(name: string, weight: number, path: () => string): Kind {
  return { name, weight, run: ({ send }) => send('GET', path()) };
}

const query: Kind = {
  name: 'query',
  weight: 10,
  run: ({ send }) => send('POST', '/api/v1/capture/query', { query: writeQuestion() }),
};

const memory: Kind = {
  name: 'read a memory',
  weight: 5,
  async run({ ledger, send, contradict }) {
    const entry = ledger.choose('live');
    if (entry === undefined) return null;
    entry.isBusy = true;
    const answer = await send('GET', `/api/v1/memories/${entry.id}`);
    if (isOk(answer) || answer.status === 404) {
      const difference = differenceOf(entry, answer);
      if (difference !== null) contradict(difference);
    }
    entry.isBusy = false;
    return answer;
  },
};

const related: Kind = {
  name: 'related memories',
  weight: 1,
  async run({ ledger, send }) {
    const entry = ledger.choose('live');
    if (entry === undefined) return null;
    entry.isBusy = true;
    const answer = await send('GET', `/api/v1/memories/${entry.id}/related`);
    entry.isBusy = false;
    return answer;
  },
};

export const reads: readonly Kind[] = [
  query,
  read('query by GET', 2, () => `/api/v1/capture/query?q=${encodeURIComponent(writeQuestion())}`),
  read('list', 4, () => '/api/v1/memories'),
  read('counts', 1, () => '/api/v1/memories/counts'),
  read('tags', 1, () => '/api/v1/tags'),
  read('status', 0.5, () => '/api/v1/status'),
  memory,
  related,
];
