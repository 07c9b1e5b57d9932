import type { Highlight, HistoryAnswer, MemoryDetail, MemoryPatch, RelatedAnswer } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { client, explain, isNotFound } from '../api/client.js';
import { useChanges } from '../api/use-changes.js';
import { undoChange } from '../state/changes.js';
import { patchItems } from '../state/library.js';
import { announce, announceFailure } from '../state/status.js';

/** Milliseconds between two looks while the embeddings of a memory are being made, which is no change that is announced. */
const LOOK_EVERY = 5_000;

export interface OpenMemory {
  memory: MemoryDetail | null;
  highlights: readonly Highlight[];
  related: RelatedAnswer['related'];
  history: HistoryAnswer['history'];
  /** Why the memory could not be read. What was read before stays, with what is being typed. */
  problem: { text: string; isGone: boolean } | null;
  /** Changes the memory at once, and goes back with a message if the server rejects it. Resolves to whether it succeeded. */
  update: (patch: MemoryPatch, done: string) => Promise<boolean>;
  /** Reads everything again. */
  reload: () => Promise<void>;
}

/** Reads a memory with what belongs to it, and follows its changes. */
export function useMemory(id: string): OpenMemory {
  const [memory, setMemory] = useState<MemoryDetail | null>(null);
  const [highlights, setHighlights] = useState<readonly Highlight[]>([]);
  const [related, setRelated] = useState<RelatedAnswer['related']>([]);
  const [history, setHistory] = useState<HistoryAnswer['history']>([]);
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
    const [similar, done] = await Promise.allSettled([
      client('relatedMemories', { parameters, query: {} }),
      client('memoryHistory', { parameters }),
    ]);
    if (shown.current !== id) return;
    if (similar.status === 'fulfilled') setRelated(similar.value.related);
    if (done.status === 'fulfilled') setHistory(done.value.history);
  }, [id]);

  useEffect(() => {
    setMemory(null);
    setHighlights([]);
    setRelated([]);
    setHistory([]);
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
    async (patch: MemoryPatch, done: string) => {
      if (memory === null) return false;
      const fields = Object.keys(patch) as (keyof MemoryPatch)[];
      const former: MemoryPatch = Object.fromEntries(fields.map((field) => [field, memory[field]]));
      const show = (shown: MemoryPatch) => {
        setMemory((present) => (present === null ? null : ({ ...present, ...shown } as MemoryDetail)));
        patchItems(new Set([id]), () => ({
          ...(shown.title === undefined ? {} : { title: shown.title }),
          ...(shown.tags === undefined ? {} : { tags: shown.tags }),
        }));
      };
      version.current += 1;
      show(patch);
      try {
        const { changeId, ...changed } = await client('updateMemory', { parameters: { id }, body: patch });
        setMemory(changed);
        const undo = async (change: string) => {
          await undoChange(change, [id]);
          await reload();
        };
        announce(done, changeId === null ? undefined : () => undo(changeId));
        return true;
      } catch (error) {
        show(former);
        announceFailure(explain(error));
        return false;
      } finally {
        version.current += 1;
      }
    },
    [id, memory, reload],
  );

  return { memory, highlights, related, history, problem, update, reload };
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
