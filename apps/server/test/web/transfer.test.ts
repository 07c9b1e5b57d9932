import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { LOCAL_USER } from '@recollect/core';
import { expect, test } from 'vitest';
import { describeApp, eventually, expectOutcome } from './open-app.js';

describeApp('import and export', (app) => {
  const section = () => app().page.getByRole('region', { name: 'Import and export', exact: true });

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
    await section().getByRole('button', { name: 'Import an export' }).click();
    await (await choosing).setFiles(path);
    await expectOutcome(page, '1 memory imported.');
    await eventually(() => section().getByRole('list', { name: 'Skipped' }).textContent()).toContain('another text');
    expect((await server.core.memories.get(LOCAL_USER, gone ?? '')).title).toBe('Lost');

    const again = page.waitForEvent('filechooser');
    await section().getByRole('button', { name: 'Import an export' }).click();
    const buffer = gzipSync(await readFile(path));
    await (await again).setFiles({ name: 'recollect.jsonl.gz', mimeType: 'application/gzip', buffer });
    await expectOutcome(page, '0 memories imported.');
    await eventually(() => section().getByLabel('Import', { exact: true }).textContent()).toContain('Already here1');

    const cut = page.waitForEvent('filechooser');
    await section().getByRole('button', { name: 'Import an export' }).click();
    await (await cut).setFiles({ name: 'cut.jsonl.gz', mimeType: 'application/gzip', buffer: buffer.subarray(0, -20) });
    await expectOutcome(page, 'The file is damaged or incomplete. Nothing was imported.');

    const short = page.waitForEvent('filechooser');
    await section().getByRole('button', { name: 'Import an export' }).click();
    const [header = ''] = (await readFile(path, 'utf8')).split('\n');
    await (await short).setFiles({ name: 'short.jsonl', mimeType: '', buffer: Buffer.from(`${header}\n`) });
    await expectOutcome(page, '0 memories imported. 1 failed: the reasons are below.');
    await section()
      .getByText(/The end of the export is missing/)
      .waitFor();
  });

  test('EXP-6: says why a file cannot be imported', async () => {
    const { page } = app();
    const choosing = page.waitForEvent('filechooser');
    await section().getByRole('button', { name: 'Import an export' }).click();
    await (await choosing).setFiles({ name: 'x.jsonl', mimeType: 'text/plain', buffer: Buffer.from('a,b\n') });
    await expectOutcome(page, /no export of a program whose exports can be imported: ChatGPT, .*Nothing was imported/);
    await eventually(() => section().getByRole('progressbar').count()).toBe(0);
  });

  test('IMP-6: imports what another program exported, and says whose it was', async () => {
    const { page, server } = app();
    const page1 = '<DT><A HREF="https://import.example/1" TAGS="tea">Imported page</A>';
    const bookmarks = `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>${page1}<DT><A HREF="javascript:1">A script</A></DL>`;
    const choosing = page.waitForEvent('filechooser');
    await section().getByRole('button', { name: 'Import an export' }).click();
    await (await choosing).setFiles({ name: 'Lesezeichen ü.html', mimeType: '', buffer: Buffer.from(bookmarks) });
    await expectOutcome(page, '1 memory imported.');
    await eventually(() => section().textContent()).toMatch(/an export of browser bookmarks/i);
    const { results } = (await server.send('GET', '/api/v1/capture/query?q=Imported')).body;
    expect(results[0]).toMatchObject({ url: 'https://import.example/1', tags: ['tea'] });
  });
});
