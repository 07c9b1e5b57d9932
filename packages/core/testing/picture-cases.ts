import type { ExportRecord } from '@recollect/contract';
import { type Picture, toImage } from '#core/pictures/read-pictures.js';
import { createId } from '#core/text/create-id.js';

import { equal, ok } from './assert.js';
import type { Check, Harness } from './harness.js';
import { CHANGE, createNewMemory } from './samples.js';

const PENDING = { now: CHANGE.now, indexing: { status: 'pending' } } as const;
const NONE = { count: 0, bytes: 0 };

/** Registers the cases for pictures of memories and favicons of sites. */
export function checkPictures(check: Check): void {
  check('IMG-1: stores a picture once, and the favicon for every memory of its site', async (storage) => {
    const { pictures, memories } = storage;
    const [picture, favicon] = [createPicture(3), createPicture(1)];
    const first = createNewMemory({ url: 'https://a.example/1' });
    const second = createNewMemory({ url: 'https://a.example/2' });
    const other = createNewMemory({ url: 'https://b.example/' });
    await storage.insert('ann', { ...first, pictures: { picture, favicon } });
    await storage.insert('ann', { ...other, pictures: { picture } });
    await storage.insert('ann', second);
    equal(await pictures.find('ann', first.memory.id, 'picture'), picture, 'picture');
    equal(await pictures.find('ann', second.memory.id, 'favicon'), favicon, 'favicon of the site');
    equal(await pictures.find('ann', second.memory.id, 'picture'), null, 'no picture');
    equal(await pictures.find('ann', other.memory.id, 'favicon'), null, 'favicon of another site');
    equal(await pictures.find('bob', first.memory.id, 'picture'), null, "another user's");
    equal(await pictures.size('ann'), { count: 2, bytes: 4 }, 'size');
    const listed = await memories.list('ann', { limit: 3, after: null, filter: {} });
    const hashes = new Map(listed.map(({ id, pictureHash, faviconHash }) => [id, [pictureHash, faviconHash]]));
    equal(hashes.get(first.memory.id), [picture.hash, favicon.hash], 'hashes in lists');
    equal(hashes.get(second.memory.id), [undefined, favicon.hash], 'hashes without a picture');
    equal(hashes.get(other.memory.id), [picture.hash, undefined], 'hashes without a favicon');
    equal((await memories.find('ann', first.memory.id))?.pictureHash, picture.hash, 'hash of one memory');
  });

  check('IMG-1: the picture of a later capture replaces the one before', async (storage) => {
    const draft = createNewMemory({ url: 'https://a.example/1', contentHash: 'same' });
    const { id } = draft.memory;
    await storage.insert('ann', { ...draft, pictures: { picture: createPicture(1), favicon: createPicture(2) } });
    await storage.insert('ann', { ...draft, pictures: { picture: createPicture(3), favicon: createPicture(4) } });
    equal((await storage.pictures.find('ann', id, 'picture'))?.bytes.length, 3, 'picture');
    equal((await storage.pictures.find('ann', id, 'favicon'))?.bytes.length, 4, 'favicon');
    equal(await storage.pictures.size('ann'), { count: 2, bytes: 7 }, 'unused pictures are removed');
    await storage.insert('ann', draft);
    equal((await storage.pictures.find('ann', id, 'picture'))?.bytes.length, 3, 'after a capture without one');
  });

  check('IMG-3: a memory takes its pictures along when it is removed for good', async (storage) => {
    const { memories, pictures } = storage;
    const [shared, favicon] = [createPicture(2), createPicture(1)];
    const [kept, gone] = [createNewMemory({}), createNewMemory({ url: 'https://a.example/' })];
    await storage.insert('ann', { ...kept, pictures: { picture: shared } });
    await storage.insert('ann', { ...gone, pictures: { picture: createPicture(5), favicon } });
    await memories.trash('ann', gone.memory.id, CHANGE.now);
    equal(await pictures.find('ann', gone.memory.id, 'picture'), null, 'in the trash');
    equal((await pictures.size('ann')).count, 3, 'kept with the trash');
    const [deleted] = await memories.listTrash('ann', { now: CHANGE.now, limit: 1, after: null });
    equal([deleted?.pictureHash, deleted?.faviconHash], [undefined, undefined], 'hashes in the trash');
    ok(typeof (await memories.restore('ann', gone.memory.id, CHANGE)) === 'object', 'restored');
    equal((await pictures.find('ann', gone.memory.id, 'favicon'))?.hash, favicon.hash, 'back from the trash');
    await memories.trash('ann', gone.memory.id, CHANGE.now);
    await memories.emptyTrash('ann', { limit: 10 });
    equal(await pictures.size('ann'), { count: 1, bytes: 2 }, 'after the trash was emptied');
    await memories.trash('ann', kept.memory.id, CHANGE.now);
    await memories.purge({ now: CHANGE.now, trashedFor: -1, answeredFor: 1e9, valuesFor: 1e9 });
    equal(await pictures.size('ann'), NONE, 'after a purge');
  });

  check('IMG-3: images that another memory has, or another memory of the site, are kept', async (storage) => {
    const { memories, pictures } = storage;
    const images = { picture: createPicture(2), favicon: createPicture(1) };
    const [gone, other] = [1, 2].map((page) => createNewMemory({ url: `https://a.example/${page}` }));
    if (gone === undefined || other === undefined) return;
    await storage.insert('ann', { ...gone, pictures: images }, { ...other, pictures: { picture: images.picture } });
    await memories.trash('ann', gone.memory.id, CHANGE.now);
    await memories.emptyTrash('ann', { limit: 10 });
    equal(await pictures.size('ann'), { count: 2, bytes: 3 }, 'size');
    equal((await pictures.find('ann', other.memory.id, 'favicon'))?.hash, images.favicon.hash, 'favicon');
  });

  check('IMG-3, EXP-2: an export has the pictures, and an import stores those that are missing', async (storage) => {
    const [picture, favicon] = [createPicture(3), createPicture(1)];
    const draft = createNewMemory({ url: 'https://a.example/1' });
    await storage.insert('ann', { ...draft, pictures: { picture, favicon } });
    const [record] = await scan(storage, 'ann');
    equal([record?.picture, record?.favicon], [toImage(picture), toImage(favicon)], 'in the export');
    if (record === undefined) return;
    const { picture: _, favicon: __, ...bare } = record;
    const given = { urlKey: record.url, site: 'a.example', contentHash: 'h', chunks: [record.text], folded: [] };
    equal(await storage.records.insert('bob', [{ ...given, record: bare }], PENDING), ['created'], 'without pictures');
    const full = { ...given, record, pictures: { picture, favicon } };
    equal(await storage.records.insert('bob', [full], PENDING), ['updated'], 'with the missing pictures');
    equal(await scan(storage, 'bob'), [record], 'the same record');
    const other = { ...full, pictures: { picture: createPicture(7) } };
    equal(await storage.records.insert('bob', [other], PENDING), ['duplicate'], 'with another picture');
    equal(await storage.records.insert('cid', [full], PENDING), ['created'], 'as a new memory');
    equal((await storage.pictures.find('cid', record.id, 'picture'))?.hash, picture.hash, 'picture of a new memory');
  });
}

async function scan({ records }: Harness, userId: string): Promise<ExportRecord[]> {
  const found: ExportRecord[] = [];
  const all = { filter: {}, changedSince: null, previousLength: 1_000 };
  for await (const record of records.scan(userId, all)) found.push(record);
  return found;
}

/** A picture of so many bytes, which no other picture has. */
function createPicture(length: number): Picture {
  const hash = createId(new Date(), length);
  return { hash, type: 'image/webp', width: 4, height: 3, bytes: new Uint8Array(length).fill(length) };
}
