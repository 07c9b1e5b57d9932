import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Cli, createCli } from './run-cli.js';

let cli: Cli;
beforeEach(async () => {
  cli = await createCli({ RECOLLECT_EMBEDDINGS: 'off' });
});
afterEach(() => cli.remove());

const tagsOf = async (id: string): Promise<string[]> => (await cli.json(['show', id])).tags;
const undoId = (out: string) => /recollect undo (\S+)/.exec(out)?.[1] ?? '';
const UNKNOWN = 'There is no memory with this id. recollect recent and recollect search print ids.\n';

describe('tags', () => {
  test('CLI-1: tags lists tags with counts, and with --once only tags of a single memory', async () => {
    expect((await cli.run(['tags'])).out).toMatch(/^There are no tags\./);
    await cli.save('Green tea.', '--tag', 'tea', '--tag', 'green');
    await cli.save('Black tea.', '--tag', 'tea');
    expect((await cli.run(['tags'])).out).toMatch(/memories +tag\n2 +tea\n1 +green\n/);
    expect(await cli.json(['tags', '--once'])).toMatchObject({ tags: [{ tag: 'green', memories: 1 }] });
  });

  test('CLI-1: tags rename merges tags, reports unknown ones, and can be undone', async () => {
    const first = await cli.save('Soup.', '--tag', 'recipe');
    const second = await cli.save('Bread.', '--tag', 'recipes', '--tag', 'cooking');
    const renamed = await cli.run(['tags', 'rename', 'recipe', 'recipes', 'nothing', '--to', ' cooking ']);
    expect([renamed.code, renamed.err]).toEqual([1, 'nothing: There is no such tag. recollect tags lists them.\n']);
    expect(renamed.out).toMatch(/^2 tags renamed to cooking on 2 memories\. Undo with: recollect undo \S+\n$/);
    expect([await tagsOf(first), await tagsOf(second)]).toEqual([['cooking'], ['cooking']]);
    const undone = await cli.run(['undo', undoId(renamed.out)]);
    expect(undone.out).toMatch(/^Undone for 2 memories\. Undo with: recollect undo \S+\n$/);
    expect([await tagsOf(first), await tagsOf(second)]).toEqual([['recipe'], ['recipes', 'cooking']]);
    await cli.run(['undo', undoId(undone.out)]);
    expect([await tagsOf(first), await tagsOf(second)]).toEqual([['cooking'], ['cooking']]);
    await cli.run(['undo', undoId(renamed.out)]);
    for (const args of [
      ['tags', 'rename', 'nothing', '--to', 'x'],
      ['tags', 'remove', 'nothing'],
    ])
      expect(await cli.run(args)).toEqual({ code: 1, out: '', err: renamed.err });
    expect(await cli.run(['delete', 'nothing'])).toEqual({ code: 1, out: '', err: `nothing: ${UNKNOWN}` });
    const blank = await cli.run(['tags', 'rename', 'recipe', '--to', ' ']);
    expect([blank.code, blank.err]).toEqual([2, '--to must have 1 to 100 characters.\n']);
  });

  test('MEM-13: tags rename and remove take tags in any case, and several between commas', async () => {
    const id = await cli.save('Cells.', '--tag', 'Biology', '--tag', 'to read', '--tag', 'old');
    expect((await cli.run(['tags', 'rename', 'BIOLOGY', '--to', 'science'])).out).toMatch(
      /^Biology renamed to science/,
    );
    expect(await cli.json(['tags', 'remove', 'To Read, OLD'])).toMatchObject({ matched: 1, changed: 1 });
    expect(await tagsOf(id)).toEqual(['science']);
  });

  test('CLI-1: tags remove keeps the memories', async () => {
    const id = await cli.save('Soup.', '--tag', 'todo', '--tag', 'cooking');
    expect(await cli.json(['tags', 'remove', 'todo'])).toMatchObject({ matched: 1, changed: 1 });
    expect(await tagsOf(id)).toEqual(['cooking']);
  });
});

describe('edit and history', () => {
  test('CLI-1: edit changes the title, tags, note and text, and history names each change and its client', async () => {
    const id = await cli.save('Tea is stepped.', '--tag', 'todo', '--tag', 'drinks', '--note', 'fix this');
    const changed = await cli.run(['edit', id, '--title', 'Tea', '--tag', 'kitchen', '--untag', 'todo', '--note', '']);
    expect([changed.code, changed.err]).toEqual([0, '']);
    expect(changed.out).toMatch(new RegExp(`^Changed Tea ${id}\nTags: drinks, kitchen\nUndo with: recollect undo `));
    expect(await cli.json(['show', id])).toMatchObject({ title: 'Tea', tags: ['drinks', 'kitchen'], note: null });
    await writeFile(join(cli.folder, 'corrected.md'), 'Tea is steeped.\n');
    expect(await cli.json(['edit', id, '--text', 'corrected.md'])).toMatchObject({ text: 'Tea is steeped.\n' });
    expect(await cli.json(['edit', id, '--text', '-'], 'Tea is brewed.')).toMatchObject({
      text: 'Tea is brewed.',
      changeId: expect.any(String),
    });
    expect((await cli.run(['search', 'brewed'])).out).toContain(id);
    const same = await cli.run(['edit', id, '--title', 'Tea']);
    expect(same.out).toBe(`Nothing was changed: Tea ${id} already has these values.\n`);
    const history = await cli.run(['history', id]);
    expect(history.out).toMatch(
      /^Tea\n3 {2}\S+ \S+ {2}changed text by the command line \S+\n2 {2}.*\n1 {2}\S+ \S+ {2}changed title, tags, note/,
    );
    expect(history.out).toMatch(/\n0 {2}\S+ \S+ {2}saved by the command line\n/);
    expect(await cli.json(['history', id])).toMatchObject({
      savedBy: { client: 'cli' },
      history: [{ fields: ['text'] }, { fields: ['text'] }, { fields: ['title', 'tags', 'note'] }],
    });
    await cli.run(['undo', undoId(changed.out)]);
    expect(await cli.json(['show', id])).toMatchObject({ tags: ['todo', 'drinks'], note: 'fix this' });
  });

  test('MEM-14: edit stars a memory and marks it as read, and recent and search select by both', async () => {
    const [starred, plain] = [await cli.save('Starred violets.'), await cli.save('Plain violets.')];
    const changed = await cli.run(['edit', starred, '--star', '--mark', 'read']);
    expect([changed.code, changed.err]).toEqual([0, '']);
    const listed = async (...options: string[]) =>
      (await cli.json(['recent', ...options])).memories.map(({ id }: { id: string }) => id);
    expect(await listed('--starred', '--read')).toEqual([starred]);
    expect(await listed('--unread')).toContain(plain);
    expect(await listed('--unread')).not.toContain(starred);
    expect(await listed('--sort', 'oldest')).not.toEqual(await listed());
    const found = await cli.json(['search', 'violets', '--starred']);
    expect(found.results.map(({ id }: { id: string }) => id)).toEqual([starred]);
    expect((await cli.run(['show', starred])).out).toContain('starred: yes\nread: yes\n');
    expect((await cli.run(['history', starred])).out).toMatch(
      /changed star, read state by the command line \S+\n +star was: not set\n +read state was: unread\n/,
    );
    await cli.run(['edit', starred, '--unstar']);
    expect(await listed('--starred')).toEqual([]);
    for (const options of [
      ['edit', plain, '--star', '--unstar'],
      ['recent', '--read', '--unread'],
    ])
      expect((await cli.run(options)).err).toContain('not both');
  });

  test('MEM-15: searches saves a search under a name, which search runs', async () => {
    const id = await cli.save('Saffron rice.', '--tag', 'saffron');
    const saved = await cli.run(['searches', 'save', 'Rice dishes', 'tag:saffron']);
    expect(saved.out).toBe("Saved Rice dishes\nRun it with: recollect search --saved 'Rice dishes'\n");
    expect((await cli.json(['search', '--saved', 'rice DISHES', 'saffron'])).results[0].id).toBe(id);
    expect((await cli.run(['searches', 'save', 'RICE dishes', 'x'])).err).toContain(
      'Another saved search has this name',
    );
    await cli.run(['searches', 'rename', 'rice dishes', 'Rice']);
    expect((await cli.run(['searches'])).out).toMatch(/Rice +tag:saffron/);
    expect((await cli.run(['search', '--saved', 'nothing'])).err).toContain(
      'There is no saved search called nothing. There are: Rice.',
    );
    expect((await cli.run(['searches', 'remove', 'rice'])).out).toBe('Removed Rice, which was: tag:saffron\n');
    expect((await cli.run(['searches'])).out).toContain('There are no saved searches.');
  });

  test('CLI-1: edit without a change is wrong usage, and what cannot be stored changes nothing', async () => {
    const id = await cli.save('Tea.');
    const wrong = await cli.run(['edit', id]);
    expect([wrong.code, wrong.out, wrong.err]).toEqual([2, '', expect.stringMatching(/^Nothing to change\. Pass --t/)]);
    const failing: [string[], RegExp][] = [
      [['--title', ' '], /A title cannot be blank/],
      [['--title', 'x'.repeat(10_001)], /^--title /],
      [['--text', 'missing.md'], /There is no file missing\.md/],
      [['--tag', 'x'.repeat(101)], /^--tag /],
    ];
    for (const [options, reason] of failing) {
      const { code, out, err } = await cli.run(['edit', id, ...options]);
      expect([code, out, err]).toEqual([1, '', expect.stringMatching(reason)]);
    }
    for (const command of [
      ['edit', 'unknown', '--tag', 'x'],
      ['history', 'unknown'],
      ['related', 'unknown'],
    ])
      expect(await cli.run(command)).toEqual({ code: 1, out: '', err: UNKNOWN });
    expect((await cli.json(['history', id])).history).toEqual([]);
  });

  test('CLI-1: show names who saved a memory and other captures of its address', async () => {
    const first = await cli.save('The first version.', '--url', 'https://news.example/a');
    const second = await cli.save('Another version.', '--url', 'https://news.example/a');
    expect((await cli.run(['show', second])).out).toMatch(
      new RegExp(
        `saved by: the command line\n[\\s\\S]*also saved: The first version\\. \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d ${first}\n`,
      ),
    );
  });
});

/** On a busy machine, a command takes long. */
const AGO = '(?:just now|\\d minutes? ago)';

describe('delete, undo and trash', () => {
  test('CLI-1: delete moves the ids that exist to the trash, and undo brings them back', async () => {
    const first = await cli.save('One.');
    const second = await cli.save('Two.');
    const deleted = await cli.run(['delete', first, 'unknown', second]);
    expect([deleted.code, deleted.err]).toEqual([1, `unknown: ${UNKNOWN}`]);
    expect(deleted.out).toMatch(/^2 memories moved to the trash\.\nUndo with: recollect undo \S+\n$/);
    expect((await cli.run(['trash'])).out).toMatch(
      new RegExp(
        `deleted +days left +title +id\n@1 +${AGO} +30 +Two\\. +${second}\n@2 +${AGO} +30 +One\\. +${first}\n`,
      ),
    );
    expect(await cli.json(['undo', undoId(deleted.out)])).toEqual({
      changed: 2,
      skipped: 0,
      changeId: expect.any(String),
    });
    expect((await cli.run(['trash'])).out).toBe('The trash is empty.\n');
    const again = await cli.run(['undo', undoId(deleted.out)]);
    expect([again.code, again.out, again.err]).toEqual([1, '', expect.stringMatching(/^Not undone for 2 memories: /)]);
    const unknown = await cli.run(['undo', 'unknown']);
    expect([unknown.code, unknown.err]).toEqual([
      1,
      expect.stringMatching(/no change with this id\. recollect history/),
    ]);
  });

  test('CLI-1: delete --query selects by operators, or the first results for words; --dry-run only counts', async () => {
    await cli.save('Soup with leeks.', '--tag', 'food');
    await cli.save('Bread with seeds.', '--tag', 'food');
    const kept = await cli.save('Rivers and bridges.');
    expect((await cli.run(['delete', '--query', 'tag:food', '--dry-run'])).out).toBe(
      '2 memories would be moved to the trash.\n',
    );
    expect(await cli.json(['delete', '--query', 'seeds', '--limit', '1'])).toMatchObject({ matched: 1, changed: 1 });
    expect(await cli.json(['delete', '--query', 'tag:food by:cli'])).toMatchObject({ matched: 1, changed: 1 });
    expect((await cli.run(['delete', '--query', 'tag:food'])).out).toBe('No memories found. Nothing was deleted.\n');
    expect((await cli.json(['recent'])).memories).toMatchObject([{ id: kept }]);
    for (const args of [[], [kept, '--query', 'tag:food'], ['--query', ' '], [kept, '--limit', '3']]) {
      const { code, out, err } = await cli.run(['delete', ...args]);
      expect([args, code, out, err]).toEqual([args, 2, '', expect.stringMatching(/./)]);
    }
  });

  test('CLI-1: trash restore and trash empty act on the ids that are in the trash', async () => {
    const ids = [await cli.save('One.'), await cli.save('Two.'), await cli.save('Three.')];
    const [first = '', second = ''] = ids;
    await cli.run(['delete', ...ids]);
    const restored = await cli.run(['trash', 'restore', first, 'unknown']);
    expect([restored.code, restored.out]).toEqual([1, `Restored One. ${first}\n`]);
    expect(restored.err).toBe('unknown: There is no memory with this id in the trash. recollect trash lists it.\n');
    const emptied = await cli.run(['trash', 'empty', second, first, '--yes']);
    expect([emptied.code, emptied.out, emptied.err]).toEqual([
      1,
      '1 memory permanently deleted.\n',
      `${first}: There is no memory with this id in the trash. recollect trash lists it.\n`,
    ]);
    expect(await cli.json(['trash'])).toMatchObject({ total: 1, memories: [{ title: 'Three.', daysLeft: 30 }] });
    expect(await cli.json(['trash', 'empty', '--yes'])).toEqual({ deleted: 1 });
    expect((await cli.json(['recent'])).memories).toMatchObject([{ id: first }]);
  });

  test('CLI-1: trash empty without a terminal is wrong usage unless --yes is given', async () => {
    const id = await cli.save('One.');
    await cli.run(['delete', id]);
    for (const args of [
      ['trash', 'empty'],
      ['trash', 'empty', id],
      ['trash', 'empty', '--json'],
    ]) {
      const { code, out, err } = await cli.run(args);
      expect([code, out, err]).toEqual([2, '', expect.stringMatching(/[Aa]dd --yes\.\n$/)]);
    }
    expect((await cli.json(['trash'])).total).toBe(1);
  });
});
