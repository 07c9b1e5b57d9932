import { mkdir, open, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ExportedSearch, ExportRecord, validate, writeExport } from '@recollect/contract';
import { count } from '@recollect/contract/text';
import { createId, type SalvagedRecord } from '@recollect/core';
import type { Configuration } from '../../config.js';
import { print, printJson } from '../../terminal/output.js';
import { explainFileError } from '../../transfer/write-file.js';
import { version } from '../../version.js';

const NAME = 'recollect-salvaged.jsonl';

/** Writes what can be read of a damaged store into an export in a folder. A file that is there already is kept. */
export async function salvageTo(configuration: Configuration, folder: string, json: boolean): Promise<void> {
  const target = resolve(folder);
  const path = join(target, NAME);
  await mkdir(target, { recursive: true, mode: 0o700 }).catch((error) => {
    throw explainFileError(error, target);
  });
  const file = await open(path, 'wx', 0o600).catch((error) => {
    throw explainFileError(error, path);
  });
  const { salvageStore } = await import('../../compose/repair.js');
  const salvage = await salvageStore(configuration, target).catch(async (error) => {
    await file.close();
    await rm(path, { force: true });
    throw error;
  });
  const memoryCounts = { whole: 0, partial: 0 };
  async function* records() {
    for (const { record, isWhole } of salvage.memories()) {
      memoryCounts[isWhole ? 'whole' : 'partial'] += 1;
      yield toImportable(record);
    }
  }
  const savedSearches = salvage.savedSearches.filter((search) => validate(ExportedSearch, search).length === 0);
  try {
    await pipeline(
      writeExport(records(), { program: version, now: new Date(), savedSearches }),
      file.createWriteStream({ flush: true }),
    );
  } finally {
    await salvage.close();
  }
  const walLost = salvage.isWalLost;
  if (json)
    return printJson({
      path,
      memories: memoryCounts.whole + memoryCounts.partial,
      partial: memoryCounts.partial,
      walLost,
    });
  print(`${count(memoryCounts.whole + memoryCounts.partial, 'memory', 'memories')} written to ${path}.`);
  if (memoryCounts.partial > 0)
    print(`Of ${count(memoryCounts.partial, 'memory', 'memories')}, a part could not be read. The text says where.`);
  if (walLost) print('The WAL of the store could not be read, so the newest memories and changes may be missing.');
  print(`Import them into a new store with: recollect import ${path}`);
}

/** Replacements for fields that an import would reject. */
const NEUTRAL: { [field in keyof ExportRecord]?: ExportRecord[field] | undefined } = {
  title: 'Salvaged memory',
  url: null,
  sourceApp: 'salvage',
  turns: null,
  tags: [],
  note: null,
  metadata: {},
  page: {},
  savedBy: null,
  picture: undefined,
  favicon: undefined,
};

/** Lists whose entries are left out if an import would reject them. */
const LISTS = ['highlights', 'history'] as const;

/**
 * A salvaged memory as an import accepts it: what damage has made invalid is left out, so that it does not keep the
 * rest from being imported.
 */
export function toImportable(record: SalvagedRecord): ExportRecord {
  const rejected = validate(ExportRecord, record).map(({ pointer }) => pointer.split('/').slice(1));
  // The schema has just accepted it.
  if (rejected.length === 0) return record as unknown as ExportRecord;
  const fields = new Set(rejected.map(([field]) => field));
  const neutral = Object.entries(NEUTRAL).filter(([field]) => fields.has(field));
  if (fields.has('id')) neutral.push(['id', createId(new Date())]);
  const lists = LISTS.filter((name) => fields.has(name)).map((name) => {
    const invalid = new Set(rejected.filter(([field]) => field === name).map(([, index]) => Number(index)));
    return [name, (record[name] as unknown[]).filter((_, index) => !invalid.has(index))];
  });
  // The compiler cannot know which fields the schema rejected.
  return { ...record, ...Object.fromEntries([...neutral, ...lists]) } as unknown as ExportRecord;
}
