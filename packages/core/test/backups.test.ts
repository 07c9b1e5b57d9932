import { backupKinds } from '@recollect/contract/vocabulary';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kindOfDue, nextBackupAt, superfluous } from '../dist/backups/backups.js';
import type { StoredBackup } from '../dist/ports/index.js';

const HOUR = 3_600_000;
const START = Date.parse('2026-01-01T00:00:00.000Z');
const END = new Date(START + 101 * 24 * HOUR);

function backupAt(time: number, kind: StoredBackup['kind'] = 'hourly', isVerified = true): StoredBackup {
  const at = new Date(time).toISOString();
  const facts = { bytes: 1, sha256: 'a', memories: 1, isEncrypted: false, sequence: 1 };
  return { path: `${at}-${kind}`, kind, at, isVerified, ...facts };
}

const anyBackup = fc
  .record({
    minutes: fc.integer({ min: 0, max: 100 * 24 * 60 }),
    kind: fc.constantFrom(...backupKinds),
    isVerified: fc.boolean(),
  })
  .map(({ minutes, kind, isVerified }) => backupAt(START + minutes * 60_000, kind, isVerified));

test('BAK-3: keeps a backup of each of the last 24 hours and 30 days, and the last 5 before a migration', () => {
  const made: StoredBackup[] = [];
  let kept: StoredBackup[] = [];
  for (let hour = 0; hour < 60 * 24; hour++) {
    const time = START + hour * HOUR;
    const backup = backupAt(time, kindOfDue(kept, new Date(time)));
    made.push(backup);
    kept = [backup, ...kept];
    const gone = superfluous(kept, new Date(time));
    kept = kept.filter((one) => !gone.includes(one));
  }
  const newest = made.slice(-24);
  // The last of each day; today's is the newest.
  const daily = made.filter(({ at }) => at.includes('T23:')).slice(-30);
  expect(new Set(kept)).toEqual(new Set([...newest, ...daily]));
  expect(daily.length).toBe(30);
  const migrations = [1, 2, 3, 4, 5, 6, 7].map((hour) => backupAt(START + hour * HOUR, 'migration'));
  expect(superfluous(migrations, new Date(START + 7 * HOUR))).toEqual([migrations[1], migrations[0]]);
});

test('BAK-3: retention never removes backups on request, unchecked ones, or the newest, and removes nothing twice', () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyBackup, { selector: ({ path }) => path, maxLength: 200 }), (backups) => {
      const gone = superfluous(backups, END);
      const kept = backups.filter((backup) => !gone.includes(backup));
      expect(gone.every(({ kind, isVerified }) => kind !== 'manual' && isVerified)).toBe(true);
      expect(superfluous(kept, END)).toEqual([]);
      const good = backups.filter(({ isVerified, kind }) => isVerified && (kind === 'hourly' || kind === 'daily'));
      const newest = good.reduce<string>((latest, { at }) => (at > latest ? at : latest), '');
      if (good.length > 0) expect(kept.some(({ at }) => at === newest)).toBe(true);
      const keptGood = kept.filter((backup) => good.includes(backup));
      expect(keptGood.length).toBeLessThanOrEqual(24 + 30);
      // One more backup removes no backup of a recent hour or day.
      const hours = new Set(good.map(({ at }) => at.slice(0, 13)));
      const keptHours = new Set(keptGood.map(({ at }) => at.slice(0, 13)));
      expect(keptHours.size).toBeGreaterThanOrEqual(Math.min(24, hours.size));
    }),
  );
});

test('BAK-3: the next backup is due an hour after the newest; after failures at growing delays; at once if the clock was wrong', () => {
  const now = START + 10 * HOUR;
  expect(nextBackupAt([], null, now)).toBe(now);
  expect(nextBackupAt([backupAt(now - 600_000)], null, now)).toBe(now + HOUR - 600_000);
  expect(nextBackupAt([backupAt(now + 400 * 24 * HOUR)], null, now)).toBe(now);
  expect(nextBackupAt([backupAt(now - 600_000, 'migration')], null, now)).toBe(now);
  expect(nextBackupAt([backupAt(now - 600_000, 'hourly', false)], null, now)).toBe(now);
  const delays = [1, 2, 3, 4, 7, 100].map((attempts) => {
    const at = new Date(now).toISOString();
    const failure = { at, since: at, message: 'no space', attempts };
    return (nextBackupAt([], failure, now) - now) / 60_000;
  });
  expect(delays).toEqual([1, 2, 4, 8, 60, 60]);
});

const anyTime = fc.integer({ min: 0, max: 100 * 24 * 60 }).map((minutes) => START + minutes * 60_000);

test('BAK-3: backups that a wrong clock has dated in the future cause no further ones, and take the place of none', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(anyBackup, { selector: ({ path }) => path, maxLength: 200 }),
      anyTime,
      (backups, now) => {
        const past = backups.filter(({ at }) => Date.parse(at) <= now);
        expect(nextBackupAt(backups, null, now)).toBe(nextBackupAt(past, null, now));
        const made = backupAt(now, kindOfDue(backups, new Date(now)));
        const others = backups.filter(({ path }) => path !== made.path);
        expect(nextBackupAt([made, ...others], null, now)).toBe(now + HOUR);
        const gone = superfluous([made, ...others], new Date(now));
        expect(gone).not.toContain(made);
        const pastGone = superfluous([made, ...past.filter(({ path }) => path !== made.path)], new Date(now));
        expect(gone.filter(({ at }) => Date.parse(at) <= now)).toEqual(pastGone);
      },
    ),
  );
});
