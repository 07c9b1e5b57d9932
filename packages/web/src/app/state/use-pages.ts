import { useResource } from './use-resource.js';

interface Page {
  /** Where the list continues. Null at its end. */
  nextCursor: string | null;
}

interface Pages<T extends Page> {
  /** The pages that were read; none before the first answer. */
  pages: readonly T[];
  /** Why the list could not be read; empty if it could. */
  problem: string;
  hasMore: boolean;
  readMore: () => Promise<void>;
  /** Reads as many pages again. */
  reload: () => Promise<void>;
}

/** A list that is read page by page, from its beginning when the key changes, and again when a memory does. */
export function usePages<T extends Page>(
  read: (cursor: string | undefined) => Promise<T>,
  options: { key?: string; pause?: number } = {},
): Pages<T> {
  const readPages = async (before: readonly T[] | null) => {
    const pages = [await read(undefined)];
    while (pages.length < (before?.length ?? 0) && cursorOf(pages) !== undefined)
      pages.push(await read(cursorOf(pages)));
    return pages;
  };
  const { value, problem, reload, resource } = useResource<readonly T[]>(readPages, { ...options, changes: 'any' });
  const pages = value ?? [];
  return {
    pages,
    problem,
    hasMore: cursorOf(pages) !== undefined,
    readMore: () =>
      resource.load(async (before) => {
        const cursor = cursorOf(before ?? []);
        return cursor === undefined ? (before ?? []) : [...(before ?? []), await read(cursor)];
      }),
    reload,
  };
}

function cursorOf(pages: readonly Page[]): string | undefined {
  return pages.at(-1)?.nextCursor ?? undefined;
}
