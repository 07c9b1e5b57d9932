import { findImporter, type Item, importFile } from '@recollect/importers';

/** The items of a file, and the importer that read them. */
export function read(name: string, content: unknown): { program: string | undefined; items: Item[] } {
  const file = importFile(name, typeof content === 'string' ? content : JSON.stringify(content));
  const importer = findImporter(file);
  return { program: importer?.program, items: [...((importer?.read(file) ?? []) as Iterable<Item>)] };
}

/** The same for an importer that loads something first. */
export async function readLater(name: string, content: unknown): Promise<ReturnType<typeof read>> {
  const file = importFile(name, typeof content === 'string' ? content : JSON.stringify(content));
  const importer = findImporter(file);
  const items: Item[] = [];
  for await (const item of importer?.read(file) ?? []) items.push(item);
  return { program: importer?.program, items };
}

export const capturesOf = (items: readonly Item[]) =>
  items.flatMap((item) => ('capture' in item ? [item.capture] : []));
export const skippedOf = (items: readonly Item[]) =>
  items.flatMap((item) => ('skipped' in item ? [{ skipped: item.skipped, reason: item.reason }] : []));
