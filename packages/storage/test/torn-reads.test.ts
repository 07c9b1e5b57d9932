import { createCore, LOCAL_USER } from '@recollect/core';
import { expect, test } from 'vitest';
import { openFile } from './open-file.js';

test('MEM-1: a memory that is read while it changes has the title and the text of one version', {
  tags: 'long',
}, async () => {
  const storage = await openFile({ readers: 2 });
  const core = createCore(storage);
  const { answer } = await core.capture(LOCAL_USER, [{ title: 'Version 0', pageText: 'Text of version 0.' }]);
  const id = answer.captures[0]?.id ?? '';
  let isDone = false;
  const changing = (async () => {
    for (let version = 1; version <= 40; version++)
      await core.memories.update(LOCAL_USER, id, {
        title: `Version ${version}`,
        text: `Text of version ${version}. ${'More of it. '.repeat(200)}`,
      });
    isDone = true;
  })();
  const torn: string[] = [];
  const read = async () => {
    while (!isDone) {
      const { title, text, warning } = await core.memories.get(LOCAL_USER, id);
      if (!text.startsWith(`Text of ${title.toLowerCase()}.`) || warning !== null)
        torn.push(`${title}: ${text.slice(0, 30)}`);
    }
  };
  await Promise.all([changing, read(), read(), read()]);
  expect(torn).toEqual([]);
  await storage.close();
});
