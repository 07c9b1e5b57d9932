import { createCore, LOCAL_USER } from '@recollect/core';
import { createFakeModel } from '@recollect/core/testing';
import { expect, test } from 'vitest';
import { startTestServer } from './start-test-server.js';

test('IDX-4: the server embeds the memories of a former model again, and then removes its vectors', async () => {
  const server = await startTestServer({ runners: true });
  try {
    const { memories } = server.storage;
    const former = createCore({ ...server.storage, embeddingModel: createFakeModel('former') });
    const { answer } = await former.capture(LOCAL_USER, [{ pageText: 'Saved before the change of model.' }]);
    expect(answer.imported.embedded).toBe(1);
    const embedded = async (model: string) => (await memories.countEmbedded(LOCAL_USER, model)).withEmbeddings;
    await expect.poll(async () => [await embedded('former'), await embedded(server.model.id)]).toEqual([0, 1]);
  } finally {
    await server.close();
  }
});
