import { ExportRecord, validate } from '@recollect/contract';
import { createId, type SalvagedRecord } from '@recollect/core';

/** What stands in for a field that an import would reject. */
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
  // What the schema rejected is replaced; the compiler cannot know which fields those are.
  return { ...record, ...Object.fromEntries([...neutral, ...lists]) } as unknown as ExportRecord;
}
