import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { describeApp, eventually, expectOutcome } from './open-app.js';

const folder = mkdtempSync(join(tmpdir(), 'recollect-web-backups-'));
const backupFolder = join(folder, 'backups');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeApp(
  'backups in the settings',
  (app) => {
    test('BAK-1, BAK-2: are listed with their checks, and made with a button', async () => {
      const { page } = app();
      await app().save({ title: 'A', pageText: 'The text of A.' });
      await app().open('/settings/backups');
      const section = page.getByRole('region', { name: 'Backups', exact: true });
      await section.getByText(`Automatic backups are off. There is none yet. They are in ${backupFolder}.`).waitFor();
      await section.getByRole('button', { name: 'Back up now' }).click();
      await expectOutcome(page, 'Backup saved and checked: 1 memory.');
      const rows = section.getByRole('list', { name: 'Backups' }).getByRole('listitem');
      await eventually(() => rows.allTextContents()).toEqual([
        expect.stringMatching(/on request\s*1 memory, .*B, checked/),
      ]);
      const [name = ''] = readdirSync(backupFolder).filter((file) => file.endsWith('.db'));
      await rows.getByRole('button', { name: 'Copy restore command' }).click();
      await expectOutcome(page, 'The command is copied. Stop the server before you run it.');
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
        `recollect restore "${join(backupFolder, name)}"`,
      );
      const downloading = page.waitForEvent('download');
      await rows.getByRole('link', { name: 'Download' }).click();
      const download = await downloading;
      expect(download.suggestedFilename()).toBe(name);
      expect(await readFile(await download.path())).toEqual(await readFile(join(backupFolder, name)));
      await app().open('/settings/backups');
      await rows.first().waitFor();
      await eventually(() => section.getByText('There is none yet.').count()).toBe(0);
      await app().open('/settings/health');
      await page.getByText(/^Last backup .*, checked$/).waitFor();
    });
  },
  { url: `sqlite:${join(folder, 'data', 'recollect.db')}`, backupFolder },
);
