import type { Actor, ChangeAnswer, ChangeBody, FieldError, TagList, UndoAnswer } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { branchKey, isInBranch, tagKey, tagPath, tagsAbove, uniqueTags } from '@recollect/contract/text';
import { mergeTags } from '../drafts/merge-capture.js';
import { cleanTags } from '../drafts/normalise-capture.js';
import { spellTags, withoutTags } from '../drafts/tag-spelling.js';
import { RecollectError } from '../error.js';
import { draftIndexing } from '../indexing/indexing-draft.js';
import type { Memory } from '../memory.js';
import type { CorePorts } from '../ports/core-ports.js';
import type { BulkChange, BulkOptions } from '../ports/index.js';
import type { QueryUseCase } from '../retrieval/query.js';
import { createId } from '../text/create-id.js';
import type { ChangeProgress, WatchOptions } from './change-runs.js';
import { changeOfReading } from './edit-memory.js';
import { selectMemories } from './select-memories.js';
import { planUndo } from './undo.js';
import { untouchedSince } from './undo-import.js';

/** Memories per transaction: few enough that a capture waits for milliseconds only. */
const BATCH = 50;
const ALL_TAGS = 100_000;

export type BulkPorts = Pick<CorePorts, 'memories' | 'history' | 'imports' | 'tagLooks' | 'embeddingModel' | 'clock'>;

/** The part of a change to undo, and how its progress is followed. */
export interface UndoOptions extends WatchOptions {
  /** The only memory for which the change is undone. */
  memoryId?: string | undefined;
}

/**
 * The use cases that change many memories. Every change can be undone while its former values are kept. `actor` says
 * who makes it; null if unknown.
 */
export interface BulkChanges {
  /** Throws VALIDATION_FAILED unless the request selects memories and says what to do with them. */
  change(userId: string, body: ChangeBody, actor?: Actor | null, watch?: WatchOptions): Promise<ChangeAnswer>;
  /**
   * Undoes a change, of all its memories or of one, except where a memory was changed again since. Memories that an
   * import created go to the trash. Throws NOT_FOUND, also if the change is not one of that memory.
   */
  undo(userId: string, changeId: string, actor?: Actor | null, options?: UndoOptions): Promise<UndoAnswer>;
  /** All tags, the most frequent first, and the parents of nested tags. */
  tags(userId: string): Promise<TagList>;
  /**
   * Renames tags, with the tags below them. Several tags, or a new name that exists, are merged. Throws
   * VALIDATION_FAILED for a name below one of the tags.
   */
  renameTags(
    userId: string,
    tags: readonly string[],
    to: string,
    actor?: Actor | null,
    watch?: WatchOptions,
  ): Promise<ChangeAnswer>;
  /** Removes tags, and the tags below them. */
  removeTags(
    userId: string,
    tags: readonly string[],
    actor?: Actor | null,
    watch?: WatchOptions,
  ): Promise<ChangeAnswer>;
}

/**
 * Makes the use cases that change many memories, in batches, so that no other change waits for long.
 *
 * @example
 * const bulk = createBulkChanges({ ...storage, embeddingModel, clock: systemClock }, query);
 * const { changeId } = await bulk.change('local', { query: 'site:example.org', delete: true });
 * if (changeId !== null) await bulk.undo('local', changeId);
 */
export function createBulkChanges(ports: BulkPorts, query: QueryUseCase): BulkChanges {
  const { memories, history, imports, tagLooks, clock } = ports;

  const apply = async (
    userId: string,
    ids: readonly string[],
    change: BulkChange,
    options: Pick<BulkOptions, 'changeMark' | 'unlessChangedAfter'>,
  ) => {
    const applied = await memories.changeAll(userId, ids, change, {
      now: clock.now().toISOString(),
      indexing: draftIndexing(ports, { isInline: false }),
      ...options,
    });
    return applied.length;
  };

  /** Changes batch after batch. Returns how many memories changed. */
  const inBatches = async <T>(
    changeId: string,
    all: readonly T[],
    { onProgress, signal }: WatchOptions,
    changeBatch: (batch: T[]) => Promise<number>,
  ) => {
    const progress: ChangeProgress = { changeId, matched: all.length, examined: 0, changed: 0 };
    onProgress?.({ ...progress });
    for (const batch of batchesOf(all)) {
      signal?.throwIfAborted();
      progress.changed += await changeBatch(batch);
      progress.examined += batch.length;
      onProgress?.({ ...progress });
    }
    return progress.changed;
  };

  const changeEach = async (
    userId: string,
    ids: readonly string[],
    change: BulkChange,
    actor: Actor | null,
    watch: WatchOptions,
  ) => {
    const changeId = createId(clock.now());
    const options = { changeMark: { changeId, actor } };
    const changed = await inBatches(changeId, ids, watch, (batch) => apply(userId, batch, change, options));
    return { matched: ids.length, changed, changeId: changed === 0 ? null : changeId };
  };

  /** Gives renamed tags the icons and colours of the former ones, which keep theirs for an undo. */
  const copyLooks = async (userId: string, renameTag: (tag: string) => string) => {
    const looks = await tagLooks.list(userId);
    const keys = new Set(looks.map(({ tag }) => tagKey(tag)));
    for (const look of looks) {
      const tag = renameTag(look.tag);
      if (!keys.has(tagKey(tag))) await tagLooks.save(userId, { ...look, tag }, limits.tagLooks.kept);
    }
  };

  const withAnyTag = async (userId: string, tags: readonly string[]) => {
    const idsByTag = await Promise.all(tags.map((tag) => memories.matching(userId, { tag })));
    return [...new Set(idsByTag.flat())];
  };

  return {
    async change(userId, body, actor = null, watch = {}) {
      const change = await readChange(body, (tags) => spellTags(memories, userId, tags));
      const ids = await selectMemories({ memories, query }, userId, body, watch.signal);
      if (body.dryRun === true) return { matched: ids.length, changed: 0, changeId: null };
      return changeEach(userId, ids, change, actor, watch);
    },

    async undo(userId, changeId, actor = null, { memoryId, ...watch } = {}) {
      const stored = await imports.find(userId, changeId);
      const created = new Set(stored === null ? [] : await imports.created(userId, changeId));
      const changes = await history.ofChange(userId, changeId);
      const all = [
        ...Array.from(created, (id) => ({ memoryId: id, position: 0 })),
        ...changes.filter((entry) => !created.has(entry.memoryId)),
      ];
      const affected = memoryId === undefined ? all : all.filter((entry) => entry.memoryId === memoryId);
      if (affected.length === 0 && (stored === null || memoryId !== undefined)) {
        const what = all.length === 0 ? 'There is no change with this id.' : 'The change is not one of this memory.';
        throw new RecollectError('NOT_FOUND', what);
      }
      const changeMark = { changeId: createId(clock.now()), actor };
      // Each batch is planned when its turn comes, because others may edit memories during earlier batches.
      const changed = await inBatches(changeMark.changeId, affected, watch, async (batch) => {
        const ids = batch.map(({ memoryId }) => memoryId);
        const entries = await history.since(userId, ids, batch[0]?.position ?? 0);
        const earlier = entries.filter((entry) => !created.has(entry.memoryId));
        const { restore, remove, edits } = await planUndo(ports, userId, changeId, earlier);
        if (stored !== null) {
          const added = ids.filter((id) => created.has(id));
          remove.push(...(await untouchedSince(ports, userId, stored, added, entries)));
        }
        // The plan is wrong for memories with later entries.
        const options = { changeMark, unlessChangedAfter: entries.at(-1)?.position ?? 0 };
        const edit = (present: Memory) => edits.get(present.id)?.(present) ?? {};
        return (
          (await apply(userId, restore, 'restore', options)) +
          (await apply(userId, remove, 'delete', options)) +
          (await apply(userId, [...edits.keys()], edit, options))
        );
      });
      if (changed > 0 && memoryId === undefined) await imports.saveUndo(userId, changeId, changeMark.changeId);
      return { changed, skipped: affected.length - changed, changeId: changed === 0 ? null : changeMark.changeId };
    },

    async tags(userId) {
      const tags = await memories.tags(userId, ALL_TAGS);
      const above = new Map(tags.flatMap(({ tag }) => tagsAbove(tagPath(tag))).map((tag) => [tagKey(tag), tag]));
      const nested = await memories.branchCounts(userId, [...above.keys()]);
      const keys = new Set(tags.map(({ tag }) => tagKey(tag)));
      const looks = new Map((await tagLooks.list(userId)).map(({ tag, ...look }) => [tagKey(tag), look]));
      const parents = [...above].filter(([key]) => !keys.has(key)).sort(([one], [other]) => (one < other ? -1 : 1));
      return {
        tags: tags.map(({ tag, count, newestAt }) => {
          const key = tagKey(tag);
          return { tag, memories: count, nested: nested.get(key) ?? count, newestAt, ...looks.get(key) };
        }),
        parents: parents.map(([key, tag]) => ({ tag, nested: nested.get(key) ?? 0, ...looks.get(key) })),
      };
    },

    async renameTags(userId, tags, to, actor = null, watch = {}) {
      const [name, ...others] = cleanTags([to]);
      if (name === undefined) throw invalid('/to', 'must have at least one character that is not white space');
      if (others.length > 0) throw invalid('/to', 'must be a single tag; a comma separates tags');
      const inside = tags.find((tag) => tagKey(name) !== branchKey(tag) && isInBranch(tagKey(name), branchKey(tag)));
      if (inside !== undefined) {
        const message = `must not be below ${inside}, which moves with all tags below it`;
        throw new RecollectError('VALIDATION_FAILED', `The tag ${inside} cannot be moved below itself.`, {
          errors: [{ pointer: '/to', message }],
        });
      }
      const renameTag = renameBranches(tags, name);
      const longest = limits.capture.tagLength;
      for (const { tag } of await memories.tags(userId, ALL_TAGS))
        if (renameTag(tag).length > Math.max(longest, tag.length))
          throw invalid('/to', `would make ${tag} longer than ${longest} characters; choose a shorter name`);
      await copyLooks(userId, renameTag);
      const rename = ({ tags: present }: Memory) => {
        const renamed = uniqueTags(present.map(renameTag));
        return renamed.join('\n') === present.join('\n') ? {} : { tags: renamed };
      };
      return changeEach(userId, await withAnyTag(userId, tags), rename, actor, watch);
    },

    async removeTags(userId, tags, actor = null, watch = {}) {
      const branches = tags.map(branchKey);
      const remove = ({ tags: present }: Memory) => ({
        tags: present.filter((tag) => !branches.some((branch) => isInBranch(tagKey(tag), branch))),
      });
      return changeEach(userId, await withAnyTag(userId, tags), remove, actor, watch);
    },
  };
}

/** Renames the tags of branches, with the tags below them. Of several branches, the innermost counts. */
function renameBranches(tags: readonly string[], name: string): (tag: string) => string {
  const branches = tags.map(branchKey).sort((one, other) => other.length - one.length);
  return (tag) => {
    const branch = branches.find((key) => isInBranch(tagKey(tag), key));
    // The key may have another length than the tag, but as many parts.
    const parts = branch === undefined ? 0 : branch.split('/').length;
    return branch === undefined ? tag : tagPath([name, ...tag.split('/').slice(parts)].join('/'));
  };
}

function* batchesOf<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += BATCH) yield all.slice(at, at + BATCH);
}

/** Reads what to do. Throws VALIDATION_FAILED unless it is exactly one thing. */
async function readChange(body: ChangeBody, spell: (tags: string[]) => Promise<string[]>): Promise<BulkChange> {
  const added = await spell(cleanTags(body.addTags ?? []));
  const removed = cleanTags(body.removeTags ?? []);
  const editsTags = added.length > 0 || removed.length > 0;
  const marks = [body.star, body.markAs, body.moveTo].some((mark) => mark !== undefined);
  const actionCount = [body.delete === true, body.restore === true, editsTags, marks].filter(Boolean).length;
  if (actionCount !== 1)
    throw invalid('', 'must have addTags or removeTags; star, markAs or moveTo; or delete: true, or restore: true');
  if (body.restore === true && body.ids == null) throw invalid('/ids', 'must be given to restore memories');
  if (body.delete === true) return 'delete';
  if (body.restore === true) return 'restore';
  if (marks) {
    return (present) => ({
      starred: body.star,
      ...changeOfReading(present, { readState: body.markAs }),
      place: body.moveTo,
    });
  }
  return ({ tags }) => {
    const all = withTags(withoutTags(tags, removed), added);
    return all.join('\n') === tags.join('\n') ? {} : { tags: all };
  };
}

/** Adds tags. A memory that would get too many keeps its own. */
function withTags(tags: readonly string[], added: readonly string[]): readonly string[] {
  try {
    return mergeTags(tags, added);
  } catch (error) {
    if (error instanceof RecollectError) return tags;
    throw error;
  }
}

function invalid(pointer: string, message: string): RecollectError {
  const errors: FieldError[] = [{ pointer, message }];
  return new RecollectError('VALIDATION_FAILED', `${pointer === '' ? 'The body' : pointer.slice(1)} ${message}.`, {
    errors,
  });
}
