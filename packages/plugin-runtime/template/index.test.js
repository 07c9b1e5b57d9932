import assert from 'node:assert/strict';
import { test } from 'node:test';
import plugin, { minutesToRead } from './index.js';

const configuration = { wordsPerMinute: 200, longFrom: 10 };
const captureOf = (words) => ({
  id: 'event-1',
  kind: 'capture',
  time: new Date().toISOString(),
  memory: { id: 'memory-1', title: 'A page', text: 'word '.repeat(words), tags: [] },
});

/** A context that notes what the plugin does with it. */
function createContext() {
  const done = [];
  return {
    done,
    configuration,
    logger: { info() {}, warn() {}, error() {} },
    memory: {
      annotate: async (id, value) => done.push(['annotate', id, value]),
      addTags: async (id, tags) => done.push(['addTags', id, tags]),
    },
  };
}

test('a text takes a minute at least', () => {
  assert.equal(minutesToRead('', 200), 1);
  assert.equal(minutesToRead('word '.repeat(1000), 200), 5);
});

test('a long text gets the tag, a short one does not', async () => {
  const context = createContext();
  await plugin.onCapture(captureOf(2000), context);
  await plugin.onCapture(captureOf(200), context);
  assert.deepEqual(context.done, [
    ['annotate', 'memory-1', { minutes: 10 }],
    ['addTags', 'memory-1', ['long-read']],
    ['annotate', 'memory-1', { minutes: 1 }],
  ]);
});
