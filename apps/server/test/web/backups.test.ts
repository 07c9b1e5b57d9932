import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { BackupRestorer } from '@recollect/core';
import { afterAll, expect, test } from 'vitest';
import { describeApp, eventually, expectOutcome } from './open-app.js';

const folder = mkdtempSync(join(tmpdir(), 'recollect-web-backups-'));
const backupFolder = join(folder, 'backups');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A restorer that restores nothing, since the server of the tests cannot start again. */
const backupRestorer: BackupRestorer = {
  last: null,
  preview: async ({ bytes }) => ({
    memories: 1,
    bytes,
    difference: {
      ...{ backup: 1, store: 3, onlyInBackup: 0, onlyInStore: 2, changed: 1 },
      days: [{ day: '2026-11-30', onlyInBackup: 0, onlyInStore: 2 }],
      newest: { backup: '2026-11-29T12:00:00.000Z', store: '2026-11-30T12:00:00.000Z' },
    },
  }),
  async restore({ path }) {
    const at = new Date().toISOString();
    backupRestorer.last = { name: basename(path), at, replaced: '/data/replaced-2026', problem: null };
  },
};

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

    test('BAK-9, BAK-10: are restored after a preview, and the page loads again', async () => {
      const { page } = app();
      await app().open('/settings/backups');
      const open = page.getByRole('button', { name: /^Restore the backup of / });
      const dialog = page.getByRole('dialog', { name: /^Restore the backup of / });
      await open.click();
      const facts = dialog.getByLabel('What would change');
      await eventually(() => facts.textContent()).toContain('Would be gone2');
      await dialog.getByText('By day').click();
      expect(await dialog.getByRole('row').last().textContent()).toMatch(/Nov.*02$/);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(backupRestorer.last).toBeNull();
      await open.click();
      await dialog.getByRole('button', { name: 'Restore this backup' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText(/was restored .* The former store is in \/data\/replaced-2026\./).waitFor();
    });
  },
  { backupRestorer, url: `sqlite:${join(folder, 'data', 'recollect.db')}`, backupFolder },
);
