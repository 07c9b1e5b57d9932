import type {
  Highlight,
  HistoryAnswer,
  MemoryDetail,
  MemoryPatch,
  RelatedAnswer,
  VersionsAnswer,
} from '@recollect/contract';
import { ProblemError } from '@recollect/contract/client';
import { limits } from '@recollect/contract/limits';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { client, explain, isNotFound } from '../api/client.js';
import { useChanges } from '../api/use-changes.js';
import { undoChange } from '../state/changes.js';
import { patchItems } from '../state/library.js';
import { announce, announceFailure } from '../state/status.js';

/** The app sends whole values, which it shows before the answer comes. */
type Edit = Omit<MemoryPatch, 'addTags' | 'removeTags' | 'expected' | 'opened'>;

/** Poll interval in milliseconds; finished embeddings are not announced. */
const LOOK_EVERY = 5_000;

const NO_HISTORY: HistoryAnswer = { history: [], oldest: 0 };

export interface OpenMemory {
  memory: MemoryDetail | null;
  highlights: readonly Highlight[];
  related: RelatedAnswer['related'];
  history: HistoryAnswer['history'];
  /** The number of the oldest state that can be viewed. */
  oldest: number;
  /** The texts of the same page, this memory included. */
  versions: VersionsAnswer['versions'];
  /** Why the memory could not be read. What was read before stays, with what is being typed. */
  problem: { text: string; isGone: boolean } | null;
  /**
   * Changes the memory at once, and goes back with a message if the server rejects it, which it does if the memory no longer has
   * the values that are expected. Resolves to whether it succeeded.
   */
  update: (patch: Edit, done: string, expected?: MemoryPatch['expected']) => Promise<boolean>;
  /** Reads everything again. */
  reload: () => Promise<void>;
}

/** Reads a memory with what belongs to it, and follows its changes. */
export function useMemory(id: string): OpenMemory {
  const [memory, setMemory] = useState<MemoryDetail | null>(null);
  const [highlights, setHighlights] = useState<readonly Highlight[]>([]);
  const [related, setRelated] = useState<RelatedAnswer['related']>([]);
  const [{ history, oldest }, setHistory] = useState<HistoryAnswer>(NO_HISTORY);
  const [versions, setVersions] = useState<VersionsAnswer['versions']>([]);
  const [problem, setProblem] = useState<OpenMemory['problem']>(null);

  /** Counts what makes answers to earlier requests outdated. */
  const version = useRef(0);
  const shown = useRef(id);
  if (shown.current !== id) version.current += 1;
  shown.current = id;

  const reload = useCallback(async () => {
    const parameters = { id };
    const asked = version.current;
    try {
      const [found, marked] = await Promise.all([client('getMemory', { parameters }), readHighlights(id)]);
      if (shown.current !== id) return;
      // An edit is newer than this answer.
      if (version.current === asked) setMemory(found);
      setHighlights(marked);
      setProblem(null);
    } catch (error) {
      if (shown.current === id) setProblem({ text: explain(error), isGone: isNotFound(error) });
      return;
    }
    // The text does not wait for these.
    const [similar, done, pages] = await Promise.allSettled([
      client('relatedMemories', { parameters, query: {} }),
      client('memoryHistory', { parameters }),
      client('memoryVersions', { parameters }),
    ]);
    if (shown.current !== id) return;
    if (similar.status === 'fulfilled') setRelated(similar.value.related);
    if (done.status === 'fulfilled') setHistory(done.value);
    if (pages.status === 'fulfilled') setVersions(pages.value.versions);
  }, [id]);

  useEffect(() => {
    setMemory(null);
    setHighlights([]);
    setRelated([]);
    setHistory(NO_HISTORY);
    setVersions([]);
    setProblem(null);
    void reload();
  }, [id, reload]);
  useChanges((ids) => {
    if (ids === null || ids.includes(id)) void reload();
  });

  const isPending = memory?.embedding.state === 'pending';
  useEffect(() => {
    if (!isPending) return;
    const timer = setInterval(() => void reload(), LOOK_EVERY);
    return () => clearInterval(timer);
  }, [isPending, reload]);

  const update = useCallback(
    async (patch: Edit, done: string, expected?: MemoryPatch['expected']) => {
      if (memory === null) return false;
      const fields = Object.keys(patch) as (keyof Edit)[];
      const former: Edit = Object.fromEntries(fields.map((field) => [field, memory[field]]));
      const show = (shown: Edit) => {
        setMemory((present) => (present === null ? null : ({ ...present, ...shown } as MemoryDetail)));
        patchItems(new Set([id]), () => ({
          ...(shown.title === undefined ? {} : { title: shown.title }),
          ...(shown.tags === undefined ? {} : { tags: shown.tags }),
        }));
      };
      version.current += 1;
      show(patch);
      try {
        const { changeId, ...changed } = await client('updateMemory', {
          parameters: { id },
          body: { ...patch, expected },
        });
        setMemory(changed);
        const undo = async (change: string) => {
          await undoChange(change, [id]);
          await reload();
        };
        announce(done, changeId === null ? undefined : () => undo(changeId));
        return true;
      } catch (error) {
        show(former);
        if (error instanceof ProblemError && error.code === 'MEMORY_CHANGED') void reload();
        announceFailure(explain(error));
        return false;
      } finally {
        version.current += 1;
      }
    },
    [id, memory, reload],
  );

  return { memory, highlights, related, history, oldest, versions, problem, update, reload };
}

/** All highlights of a memory, newest first. */
async function readHighlights(memoryId: string): Promise<Highlight[]> {
  const found: Highlight[] = [];
  let cursor: string | undefined;
  do {
    const page = await client('listHighlights', { query: { memoryId, limit: limits.memories.page.maximum, cursor } });
    found.push(...page.highlights);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}
