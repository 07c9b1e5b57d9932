import { writeSync } from 'node:fs';
import { createCore, LOCAL_USER } from '@recollect/core';
import { openStorage } from '@recollect/storage';
import { textOf } from './sample.js';

/** Saves and edits memories in a new store, and prints a line for each once it is saved. Arguments: file, number. */
const [file = '', number = '0'] = process.argv.slice(2);
const storage = await openStorage({ url: `sqlite:${file}` });
const core = createCore(storage);
const acknowledge = (...words: readonly (string | number)[]) => writeSync(1, `${words.join(' ')}\n`);
for (let index = 0; index < Number(number); index++) {
  const { answer } = await core.capture(LOCAL_USER, [{ pageText: textOf(index) }]);
  const { id } = answer.captures[0] ?? { id: '' };
  acknowledge('saved', id, index);
  if (index % 3 === 0) {
    await core.memories.update(LOCAL_USER, id, { note: `edit ${index}` });
    acknowledge('edited', id, index);
  }
}
await storage.close();
