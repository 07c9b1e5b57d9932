import { mkdtempSync, rmSync } from 'node:fs';
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
      await app().open('/settings');
      const section = page.getByRole('region', { name: 'Backups', exact: true });
      await section.getByText(`Automatic backups are off. There is none yet. They are in ${backupFolder}.`).waitFor();
      await section.getByRole('button', { name: 'Back up now' }).click();
      await expectOutcome(page, 'Backup saved and checked: 1 memory.');
      const rows = section.getByRole('list', { name: 'Backups' }).getByRole('listitem');
      await eventually(() => rows.allTextContents()).toEqual([
        expect.stringMatching(/on request\s*1 memory, .*B, checked$/),
      ]);
      await eventually(() => section.getByText('There is none yet.').count()).toBe(0);
    });
  },
  { url: `sqlite:${join(folder, 'data', 'recollect.db')}`, backupFolder },
);
