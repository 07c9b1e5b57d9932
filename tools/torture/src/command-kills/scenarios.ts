import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { findDamage } from '../find-damage.js';
import type { Random } from '../random.js';
import { fillStore } from './fill-store.js';
import { countMemories, findEmptyTables, newestMigration, readContents, readRows } from './read-rows.js';
import { mustRun, runCommand } from './run-command.js';

/** The start of every round: files of one folder, which rounds copy. */
export interface Material {
  /** A store, and a backup of what it was before its last memories were saved. */
  store: string;
  backup: string;
  /** The export of the store. */
  records: string;
  memories: number;
  /** Stores of former versions. */
  former: readonly string[];
}

/** Kills one command in a new data folder. Returns what must not have happened. */
export type Scenario = (folder: string, material: Material, random: Random) => Promise<string[]>;

/** The numbers below which memories are in the backup, and in the store. */
const MEMORIES = { backup: 40, all: 50 };
/** The longest time until a command is killed, in milliseconds. Some end before. */
const MAX_KILL_MS = 900;
const FORMER = fileURLToPath(new URL('../test/fixtures/released-stores/', import.meta.resolve('@recollect/storage')));

/** Makes the store, the backup and the export. */
export async function makeMaterial(folder: string): Promise<Material> {
  const data = join(folder, 'data');
  await mkdir(data);
  const store = join(data, 'recollect.db');
  await fillStore(store, { from: 0, to: MEMORIES.backup });
  const backup = join(folder, 'backup.db');
  await mustRun(data, ['backup', '--out', backup]);
  await fillStore(store, { from: MEMORIES.backup, to: MEMORIES.all });
  const empty = findEmptyTables(store);
  if (empty.length > 0) throw new Error(`The store has no rows in ${empty.join(', ')}.`);
  const records = join(folder, 'memories.jsonl');
  await mustRun(data, ['export', '--out', records]);
  // A store of the present schema is not migrated.
  const present = `${newestMigration(store)}.db.gz`;
  const former = (await readdir(FORMER))
    .filter((name) => name.endsWith('.gz') && name !== present)
    .map((name) => join(FORMER, name));
  return { store, backup, records, memories: countMemories(store), former };
}

const storeOf = (folder: string) => join(folder, 'recollect.db');

/** A backup is complete under its name, or not there. */
const backup: Scenario = async (folder, { store, memories }, random) => {
  await copyFile(store, storeOf(folder));
  const before = readRows(storeOf(folder));
  const out = join(folder, 'out');
  await mkdir(out);
  await runCommand(folder, ['backup', '--out', out], { killAfter: random.below(MAX_KILL_MS) });
  const failures: string[] = [];
  const check = async () => {
    for (const name of (await readdir(out)).filter((file) => file.endsWith('.db'))) {
      failures.push(...findDamage(join(out, name)));
      if (readRows(join(out, name)) !== before) failures.push('a backup differs from the store');
    }
  };
  await check();
  const made = JSON.parse(await mustRun(folder, ['backup', '--out', out, '--json']));
  if (made.memories !== memories) failures.push(`the next backup has ${made.memories} memories`);
  await check();
  if (readRows(storeOf(folder)) !== before) failures.push('the store has changed');
  return failures;
};

/** The store is the former one or the backup, and the former one is not lost. */
const restore: Scenario = async (folder, material, random) => {
  await copyFile(material.store, storeOf(folder));
  const before = readRows(material.store);
  const wanted = readRows(material.backup);
  await runCommand(folder, ['restore', material.backup, '--yes'], { killAfter: random.below(MAX_KILL_MS) });
  await mustRun(folder, ['recent']);
  const found = readRows(storeOf(folder));
  const failures = findDamage(storeOf(folder));
  if (found !== before && found !== wanted) failures.push('the store is neither the former one nor the backup');
  await mustRun(folder, ['restore', material.backup, '--yes']);
  if (readRows(storeOf(folder)) !== wanted) failures.push('the store is not the backup');
  const aside = (await readdir(folder)).filter((name) => name.startsWith('replaced-'));
  const kept = aside.map((name) => readRows(join(folder, name, 'recollect.db')));
  if (!kept.includes(before)) failures.push('the former store is not kept');
  return failures;
};

/** The import can be repeated, and the next export is the same. */
const importing: Scenario = async (folder, { records, memories }, random) => {
  await runCommand(folder, ['import', records], { killAfter: random.below(MAX_KILL_MS) });
  const failures: string[] = [];
  const again = JSON.parse(await mustRun(folder, ['import', records, '--json']));
  if (again.found !== memories) failures.push(`the import found ${again.found} memories`);
  if (again.skipped.length + again.failed.length > 0) failures.push(`the import rejected ${JSON.stringify(again)}`);
  const out = join(folder, 'again.jsonl');
  await mustRun(folder, ['export', '--out', out]);
  if (withoutHeader(await readFile(out, 'utf8')) !== withoutHeader(await readFile(records, 'utf8'))) {
    failures.push('the next export differs');
  }
  return [...failures, ...findDamage(storeOf(folder))];
};

/** A store of a former version is the old one or the new one, and has all memories with their contents. */
const migration: Scenario = async (folder, { former }, random) => {
  const [released = ''] = former.slice(random.below(former.length));
  await writeFile(storeOf(folder), gunzipSync(await readFile(released)));
  const contents = readContents(storeOf(folder));
  await runCommand(folder, ['recent'], { killAfter: random.below(MAX_KILL_MS) });
  const failures = findDamage(storeOf(folder));
  if (!isDeepStrictEqual(readContents(storeOf(folder)), contents)) failures.push(`${released} has lost something`);
  await mustRun(folder, ['recent']);
  if (!isDeepStrictEqual(readContents(storeOf(folder)), contents))
    failures.push(`${released} has lost something when it was migrated`);
  const saved = await readdir(join(folder, 'backups'));
  if (!saved.some((name) => name.endsWith('.db'))) failures.push(`there is no backup of ${released}`);
  return [...failures, ...findDamage(storeOf(folder))];
};

/** The commands that are killed, by name. */
export const scenarios: Readonly<Record<string, Scenario>> = { backup, restore, import: importing, migration };

/** An export's header has the time at which it was made. */
function withoutHeader(text: string): string {
  return text.slice(text.indexOf('\n') + 1);
}
