import { client, loadPage } from '../api/client.js';

import { deleteMemories } from './changes.js';
import { loadList } from './load-list.js';
import { announce, succeeds } from './status.js';

/** The tag by which samples are known. Without it, a sample is a memory like any other. */
export const SAMPLE_TAG = 'Recollect sample';

/** Saves the ten sample memories, whose texts are loaded with it. */
export async function saveSamples(): Promise<void> {
  const { samples } = await loadPage(() => import('./sample-texts.js'));
  const captures = samples.map((sample) => ({
    ...sample,
    sourceApp: 'web',
    ownTitle: true,
    tags: [SAMPLE_TAG, ...sample.tags],
  }));
  const isSaved = await succeeds(client('capture', { body: { captures } }));
  if (!isSaved) return;
  announce('Ten samples saved. Search for “bread” or “a walk in nature”.', removeSamples);
  await loadList();
}

/** Moves the samples to the trash, and nothing else. */
export async function removeSamples(): Promise<void> {
  await succeeds(deleteMemories({ tag: SAMPLE_TAG }));
}
