import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { explain } from '../api/client.js';
import { useChanges } from '../api/use-changes.js';

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
  /** Reads the first page only. */
  restart: () => Promise<void>;
}

/** A list that is read page by page, and read again when something changes. One read follows another, so that no row comes twice. */
export function usePages<T extends Page>(read: (cursor: string | undefined) => Promise<T>): Pages<T> {
  const pages = useSignal<readonly T[]>([]);
  const problem = useSignal('');
  const running = useRef(Promise.resolve());

  const show = (next: () => Promise<readonly T[]>) => {
    running.current = running.current.then(async () => {
      try {
        pages.value = await next();
        problem.value = '';
      } catch (error) {
        problem.value = explain(error);
      }
    });
    return running.current;
  };
  const readFirst = async (count: number) => {
    const found = [await read(undefined)];
    while (found.length < count && cursorOf(found) !== undefined) found.push(await read(cursorOf(found)));
    return found;
  };
  const readMore = () =>
    show(async () => {
      const before = pages.peek();
      const cursor = cursorOf(before);
      return cursor === undefined ? before : [...before, await read(cursor)];
    });
  const reload = () => show(() => readFirst(pages.peek().length));
  useChanges(() => void reload());
  return {
    pages: pages.value,
    problem: problem.value,
    hasMore: cursorOf(pages.value) !== undefined,
    readMore,
    reload,
    restart: () => show(() => readFirst(1)),
  };
}

function cursorOf(pages: readonly Page[]): string | undefined {
  return pages.at(-1)?.nextCursor ?? undefined;
}
