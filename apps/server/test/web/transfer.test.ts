import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { LOCAL_USER } from '@recollect/core';
import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { describeApp, eventually, expectOutcome } from './open-app.js';

describeApp('import and export', (app) => {
  const section = () => app().page.getByRole('region', { name: 'Import and export', exact: true });
  /** Agrees to the preview of a file that was chosen. */
  const agree = () => app().page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click();

  test('EXP-7, EXP-8: downloads an export, and imports it with a report', async () => {
    const { page, server } = app();
    const [kept, gone] = await app().save({ pageText: 'Kept here.' }, { title: 'Lost', pageText: 'Deleted for good.' });
    await app().open('/settings/import-export');
    const downloading = page.waitForEvent('download');
    await section().getByRole('link', { name: 'Download an export' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^recollect-\d{4}-\d\d-\d\d\.jsonl$/);
    const path = await download.path();
    expect((await readFile(path, 'utf8')).trim().split('\n')).toHaveLength(4);

    await server.core.memories.remove(LOCAL_USER, gone ?? '');
    await server.core.trash.empty(LOCAL_USER);
    await server.core.memories.update(LOCAL_USER, kept ?? '', { text: 'Changed since.' });
    const choosing = page.waitForEvent('filechooser');
    await section().getByRole('button', { name: 'Import a file' }).click();
    await (await choosing).setFiles(path);
    await agree();
    await expectOutcome(page, '1 memory imported.');
    await eventually(() => section().getByRole('list', { name: 'Skipped' }).textContent()).toContain('another text');
    expect((await server.core.memories.get(LOCAL_USER, gone ?? '')).title).toBe('Lost');

    const again = page.waitForEvent('filechooser');
    await section().getByRole('button', { name: 'Import a file' }).click();
    const buffer = gzipSync(await readFile(path));
    await (await again).setFiles({ name: 'recollect.jsonl.gz', mimeType: 'application/gzip', buffer });
    await agree();
    await expectOutcome(page, /^Nothing new. (?:It was|All 2 were) already here\./);
    await eventually(() => section().getByLabel('Import', { exact: true }).textContent()).toContain('Already saved1');

    const cut = page.waitForEvent('filechooser');
    await section().getByRole('button', { name: 'Import a file' }).click();
    await (await cut).setFiles({ name: 'cut.jsonl.gz', mimeType: 'application/gzip', buffer: buffer.subarray(0, -20) });
    await agree();
    await expectOutcome(page, /failed\. The reasons are below\./);

    const short = page.waitForEvent('filechooser');
    await section().getByRole('button', { name: 'Import a file' }).click();
    const [header = ''] = (await readFile(path, 'utf8')).split('\n');
    await (await short).setFiles({ name: 'short.jsonl', mimeType: '', buffer: Buffer.from(`${header}\n`) });
    await expectOutcome(page, 'Nothing was imported. 1 failed. The reasons are below.');
    await section()
      .getByText(/The end of the export is missing/)
      .waitFor();
  });

  test('EXP-6: says why a file cannot be imported', async () => {
    const { page } = app();
    const choosing = page.waitForEvent('filechooser');
    await section().getByRole('button', { name: 'Import a file' }).click();
    await (await choosing).setFiles({ name: 'x.jsonl', mimeType: 'text/plain', buffer: Buffer.from('a,b\n') });
    await expectOutcome(page, /no export in it that can be imported\..* ChatGPT, .*Nothing was imported/);
    await eventually(() => section().getByRole('progressbar').count()).toBe(0);
  });

  test('IMP-6: imports what another program exported, and says whose it was', async () => {
    const { page, server } = app();
    const page1 = '<DT><A HREF="https://import.example/1" TAGS="tea">Imported page</A>';
    const bookmarks = `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>${page1}<DT><A HREF="javascript:1">A script</A></DL>`;
    const choosing = page.waitForEvent('filechooser');
    await section().getByRole('button', { name: 'Import a file' }).click();
    await (await choosing).setFiles({ name: 'Lesezeichen ü.html', mimeType: '', buffer: Buffer.from(bookmarks) });
    await agree();
    await expectOutcome(page, '1 memory imported.');
    await eventually(() => section().textContent()).toMatch(/browser bookmarks: 1 memory imported/i);
    const { results } = (await server.send('GET', '/api/v1/capture/query?q=Imported')).body;
    expect(results[0]).toMatchObject({ url: 'https://import.example/1', tags: ['tea'] });
  });

  test('IMP-12, IMP-13: a tile says how to export, and an import is previewed and undone', async () => {
    const { page, server } = app();
    await app().open('/settings/import-export');
    const tile = section().getByRole('button', { name: 'Browser bookmarks' });
    await tile.click();
    expect(await tile.getAttribute('aria-expanded')).toBe('true');
    await section().getByRole('heading', { name: 'How to export from Browser bookmarks' }).waitFor();
    const choosing = page.waitForEvent('filechooser');
    await section().getByRole('button', { name: 'Choose the file' }).click();
    const links = ['x', 'y'].map((name) => `<DT><A HREF="https://undo.example/${name}">Undo ${name}</A>`);
    const html = `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>${links.join('')}</DL>`;
    await (await choosing).setFiles({ name: 'wrong.html', mimeType: '', buffer: Buffer.from(html) });
    await page.getByRole('dialog', { name: 'Import 2 links' }).waitFor();
    const total = async () => (await server.client('countMemories', { query: { site: 'undo.example' } })).total;
    expect(await total()).toBe(0);
    await agree();
    await expectOutcome(page, '2 memories imported.');
    expect(await total()).toBe(2);
    const undo = section().getByRole('button', { name: 'Undo the import of wrong.html' });
    await undo.click();
    const question = page.getByRole('dialog', { name: 'Undo the import of wrong.html?' });
    await question.getByRole('button', { name: 'Undo the import' }).click();
    await expectOutcome(page, 'Undone.');
    expect(await total()).toBe(0);
    await undo.waitFor({ state: 'detached' });
    await section()
      .getByRole('list', { name: 'Imports' })
      .getByText(/2 memories imported, undone/)
      .waitFor();
    await server.core.trash.empty(LOCAL_USER);
  });

  const conversation = (title: string) => ({
    title,
    create_time: 1_700_000_000,
    current_node: 'b',
    mapping: {
      a: { id: 'a', parent: null, message: said('user', `How is ${title} made?`) },
      b: { id: 'b', parent: 'a', message: said('assistant', `${title} is steeped below boiling.`) },
    },
  });
  const said = (role: string, text: string) => ({
    author: { role },
    content: { content_type: 'text', parts: [text] },
    create_time: 1_700_000_000,
  });
  const drop = (...files: { name: string; content: string | number[] }[]) =>
    app().page.evaluate((dropped) => {
      const made = new DataTransfer();
      for (const { name, content } of dropped)
        made.items.add(new File([typeof content === 'string' ? content : new Uint8Array(content)], name));
      dispatchEvent(new DragEvent('drop', { dataTransfer: made }));
    }, files);

  test('IMP-9: a dropped export is previewed, and imported or saved as one note as the user chooses', async () => {
    const { page, server } = app();
    await app().open('/everything');
    const titles = Array.from({ length: 12 }, (_, at) => `Drop tea ${at + 1}`);
    const chats = { name: 'conversations.json', content: JSON.stringify(titles.map(conversation)) };
    const count = async () => (await server.core.memories.list(LOCAL_USER, { limit: 100 })).memories.length;
    const before = await count();
    const dialog = page.getByRole('dialog', { name: 'Import 12 conversations from ChatGPT' });

    await drop(chats);
    await dialog.getByText('Drop tea 1', { exact: true }).waitFor();
    expect(await dialog.getByRole('list', { name: 'First items' }).getByRole('listitem').count()).toBe(11);
    await dialog.getByText('… and 2 more').waitFor();
    expect(await count()).toBe(before);
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await expectOutcome(page, '12 memories imported.');
    expect(await count()).toBe(before + 12);

    const { memories } = await server.core.memories.list(LOCAL_USER, { limit: 100 });
    await app().open(`/memory/${memories.find(({ title }) => title === 'Drop tea 1')?.id}`);
    await eventually(() => page.locator('dl.facts').first().textContent()).toMatch(/From.*2023, imported today/);

    await drop(chats);
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await expectOutcome(page, 'Nothing new. All 12 were already here.');
    await drop(chats);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await count()).toBe(before + 12);
    await drop(chats);
    await dialog.getByRole('button', { name: 'Save as one note' }).click();
    await expectOutcome(page, '1 file saved.');
    expect(await count()).toBe(before + 13);
  });

  test('IMP-9: documents are saved at once beside an export, and the export shows what it skips', async () => {
    const { page } = app();
    await app().open('/everything');
    const link = '<DT><A HREF="https://drop.example/">Dropped</A><DT><A HREF="javascript:1">A script</A>';
    await drop(
      { name: 'bookmarks.html', content: `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>${link}</DL>` },
      { name: 'plain.html', content: '<title>Plain</title><p>A page that is only a page, about green tea.</p>' },
      { name: 'note.md', content: '# Dropped note\n\nA note about tea.' },
      { name: 'table.csv', content: 'tea,minutes\ngreen,2\n' },
    );
    const dialog = page.getByRole('dialog', { name: 'Import 1 link', exact: true });
    await dialog.getByText('1 skipped').click();
    await dialog.getByRole('list', { name: 'Skipped' }).getByText('A script').waitFor();
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await expectOutcome(page, '3 files saved. 1 memory imported. 1 skipped.');
  });

  test('CAP-18, IMP-9: a dropped book is saved without a question, and one that cannot be read says why', async () => {
    const { page } = app();
    await app().open('/everything');
    const book = zipSync({
      mimetype: [strToU8('application/epub+zip'), { level: 0 }],
      'META-INF/container.xml': strToU8('<container><rootfile full-path="b.opf"/></container>'),
      'b.opf': strToU8(
        '<package><metadata><dc:title>The Keeper</dc:title></metadata><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
      ),
      'a.xhtml': strToU8('<html><body><p>The keeper opens the sluice.</p></body></html>'),
    });
    await drop({ name: 'keeper.epub', content: [...book] }, { name: 'cut.epub', content: 'no book' });
    await expectOutcome(page, /^1 memory imported\. cut\.epub: It is damaged or incomplete/);
  });

  test('EXP-8, IMP-9: offers to import a dropped export of Recollect', async () => {
    const { page, server } = app();
    const [id = ''] = await app().save({ title: 'Exported', pageText: 'Exported and deleted.' });
    const lines = await (await fetch(`${server.address}/api/v1/export`)).text();
    await server.core.memories.remove(LOCAL_USER, id);
    await server.core.trash.empty(LOCAL_USER);
    await app().open('/everything');
    await drop({ name: 'recollect.jsonl', content: lines });
    const dialog = page.getByRole('dialog', { name: /^Import \d+ .*from Recollect$/ });
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await expectOutcome(page, /^1 memory imported\./);
    expect((await server.core.memories.get(LOCAL_USER, id)).title).toBe('Exported');
  });

  test('IMP-9: says at once which file is read, and why a file is not an export', async () => {
    const { page } = app();
    await app().open('/everything');
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/v1/import/preview*', async (route) => {
      ask();
      await released;
      await route.continue();
    });
    await drop({ name: 'half.zip', content: 'PK\u0003\u0004 and nothing else' });
    await asked;
    await expectOutcome(page, 'Reading half.zip…');
    release();
    await expectOutcome(page, /^half\.zip: The archive is damaged or incomplete\./);
    await page.unroute('**/api/v1/import/preview*');
  });
});
