import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPlugins, type Plugins } from './open-plugins.js';

let open: Plugins;
beforeEach(async () => {
  open = await openPlugins();
  await open.install('related');
});
afterEach(() => open.close());

const linksOf = async (id: string) => {
  const { plugins } = (await open.get(id)).metadata as { plugins?: { related?: { links: { id: string }[] } } };
  return plugins?.related?.links.map((link) => link.id) ?? null;
};

test('PLG-1: links each memory to the most similar ones', async () => {
  const green = await open.capture('green tea leaves in hot water');
  const black = await open.capture('black tea leaves in hot water');
  const bees = await open.capture('quantum chromodynamics');
  expect(await open.run('related', 'link')).toMatchObject({ status: 'success', summary: '3 memories linked.' });
  expect(await linksOf(green)).toEqual([black]);
  expect(await linksOf(black)).toEqual([green]);
  expect(await linksOf(bees)).toEqual([]);
  expect((await open.run('related', 'link')).summary).toBe('Nothing new to link.');
});

test('PLG-1: links a new memory, and links its neighbours again', async () => {
  const green = await open.capture('green tea leaves in hot water');
  await open.run('related', 'link');
  expect(await linksOf(green)).toEqual([]);
  const black = await open.capture('black tea leaves in hot water');
  const result = await open.run('related', 'link');
  expect(result).toMatchObject({ summary: '1 memory linked.', details: ['1 of their neighbours were linked again.'] });
  expect([await linksOf(green), await linksOf(black)]).toEqual([[black], [green]]);
});

test('PLG-3: links memories again when the settings change', async () => {
  const green = await open.capture('green tea leaves in hot water');
  await open.capture('black tea leaves in hot water');
  await open.capture('white tea leaves in hot water');
  await open.run('related', 'link');
  expect((await linksOf(green))?.length).toBe(2);
  await open.core.plugins.configure('local', 'related', { most: 1 });
  expect((await open.run('related', 'link')).summary).toBe('3 memories linked.');
  expect((await linksOf(green))?.length).toBe(1);
});
