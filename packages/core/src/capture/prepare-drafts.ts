import type { Actor, Capture } from '@recollect/contract';
import { findDeleted, recogniseEdited, recogniseLinks, recogniseSamePages } from '../drafts/duplicates.js';
import { normaliseCaptures, spellTagsOf } from '../drafts/normalise-captures.js';
import { shortenTitles } from '../drafts/title.js';
import { LeaseLostError, RecollectError } from '../error.js';
import type { Memory, NewMemory } from '../memory.js';
import type { CorePorts } from '../ports/core-ports.js';

export type PreparePorts = Pick<CorePorts, 'memories' | 'embeddingModel' | 'articleExtractor' | 'clock'> &
  Partial<Pick<CorePorts, 'readYaml'>>;

export interface PrepareOptions {
  /** Facts of an import about new memories, by the positions of the captures. */
  facts?: readonly ImportedFacts[] | undefined;
  /**
   * The import that these are items of, which may be repeated. Its changes have this id. Items in the trash are left
   * there ({@link Prepared.inTrash} lists them), and memories that were corrected since keep their text.
   */
  importId?: string | undefined;
  /** The actor of the capture; null or missing if unknown. */
  actor?: Actor | null | undefined;
}

/** Whether an imported item was starred or read in another program, or is a link, and the time of its file. */
export interface ImportedFacts extends Partial<Pick<Memory, 'starred' | 'readState' | 'isLink' | 'place'>> {
  /** ISO 8601 in UTC. It counts where neither the capture nor its text states a time. */
  changedAt?: string;
}

/** The drafts of a request, and the captures that they were made of. */
export interface Prepared {
  drafts: readonly NewMemory[];
  /** With the titles that files state about themselves. */
  captures: readonly (Capture | null)[];
  /** The positions of captures that are left in the trash. */
  inTrash: readonly number[];
  warnings: readonly string[];
}

/** Turns captures into drafts, and recognises known memories. */
export async function prepareDrafts(
  ports: PreparePorts,
  userId: string,
  captures: readonly (Capture | null)[],
  { importId, facts = [], actor = null }: PrepareOptions,
): Promise<Prepared> {
  const { memories } = ports;
  const isImport = importId !== undefined;
  const changedAt = facts.map((fact) => fact.changedAt);
  const normalised = await normaliseCaptures(ports, userId, captures, { actor, changedAt });
  const stated = await guardStorage(() =>
    shortenTitles(memories, userId, normalised.memories, normalised.statedTitles),
  );
  const deleted = isImport
    ? await guardStorage(() => findDeleted(memories, userId, normalised.memories))
    : new Set<number>();
  const withoutDeleted = <Value>(values: readonly Value[]) => values.filter((_, at) => !deleted.has(at));
  const spelled = await spellTagsOf(ports, userId, withoutDeleted(addFacts(stated, facts)));
  const drafts = await guardStorage(async () => {
    if (spelled.length === 0) return [];
    const recognised = await recogniseSamePages(memories, userId, spelled);
    return (isImport ? recogniseEdited : recogniseLinks)(memories, userId, recognised);
  });
  const titled = captures.map((capture, at) => {
    const title = normalised.ownTitles[at];
    return title === undefined ? capture : { ...capture, title, ownTitle: true };
  });
  return { drafts, captures: withoutDeleted(titled), inTrash: [...deleted], warnings: normalised.warnings };
}

function addFacts(drafts: readonly NewMemory[], facts: readonly ImportedFacts[]): NewMemory[] {
  return drafts.map((draft, at) => {
    const { changedAt: _, ...ownFacts } = facts[at] ?? {};
    return { ...draft, memory: { ...draft.memory, ...ownFacts } };
  });
}

/** Reports an unexpected error of the store as IMPORT_FAILED. */
export async function guardStorage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof RecollectError || cause instanceof LeaseLostError) throw cause;
    throw new RecollectError('IMPORT_FAILED', 'The captures could not be stored, and nothing was saved. Try again.', {
      cause,
    });
  }
}
