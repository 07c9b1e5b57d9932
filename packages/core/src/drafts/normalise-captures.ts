import type { Actor, Capture } from '@recollect/contract';
import { tagKey, uniqueTags } from '@recollect/contract/text';
import { chunkSizesFor } from '../chunking/chunk-text.js';
import { RecollectError } from '../error.js';
import { giveTurns } from '../give-turns.js';
import type { NewMemory } from '../memory.js';
import { readPictures } from '../pictures/read-pictures.js';
import type { CorePorts } from '../ports/core-ports.js';
import type { ArticleExtractor } from '../ports/index.js';
import { contentHashOf, type Normalised, normaliseCapture } from './normalise-capture.js';
import { prefixPointers } from './prefix-pointers.js';
import { limitYaml } from './read-file.js';
import { spellTags } from './tag-spelling.js';

/** An extractor that knows who sends the documents. */
export function forCaller(
  extractor: ArticleExtractor | null,
  userId: string,
  actor: Actor | null,
): ArticleExtractor | null {
  if (extractor === null) return null;
  const caller = [userId, actor?.client, actor?.name, actor?.key].join('\n');
  return {
    extract: (html, url, options) => extractor.extract(html, url, { ...options, caller }),
    extractPdf: (bytes) => extractor.extractPdf(bytes, caller),
    close: () => extractor.close(),
  };
}

type NormalisePorts = Pick<CorePorts, 'embeddingModel' | 'articleExtractor' | 'clock'> &
  Partial<Pick<CorePorts, 'readYaml'>>;

/**
 * Turns the captures of a request into memories, with the titles of their files and the parts that were left out.
 * Throws CAPTURE_EMPTY if one has no text, and what `normaliseCapture` throws, with the position of the capture.
 *
 * @param options.changedAt when the files of the captures were changed, by their positions
 */
export async function normaliseCaptures(
  ports: NormalisePorts,
  userId: string,
  captures: readonly (Capture | null)[],
  { actor, changedAt = [] }: { actor: Actor | null; changedAt?: readonly (string | undefined)[] },
): Promise<{
  memories: NewMemory[];
  ownTitles: (string | undefined)[];
  /** Whether the title of each is stated by its page. */
  statedTitles: boolean[];
  warnings: string[];
}> {
  const normalising = {
    extractor: forCaller(ports.articleExtractor, userId, actor),
    readYaml: ports.readYaml ? limitYaml(ports.readYaml) : null,
    sizes: chunkSizesFor(ports.embeddingModel),
    now: ports.clock.now(),
    actor,
  };
  const read: Normalised[] = [];
  const warnings: string[] = [];
  const empty: number[] = [];
  const giveTurn = giveTurns();
  for (const [index, capture] of captures.entries()) {
    await giveTurn();
    const memory =
      capture === null
        ? null
        : await normaliseCapture(capture, { ...normalising, sequence: index, changedAt: changedAt[index] }).catch(
            (error) => throwIn(error, index, captures.length > 1),
          );
    if (capture === null || memory === null) {
      empty.push(index);
      continue;
    }
    const { pictures, problems } = await readPictures(capture);
    read.push({ ...memory, pictures });
    const place = captures.length > 1 ? `Capture ${index}: ` : '';
    const remarks = memory.warning === undefined ? problems : [memory.warning, ...problems];
    warnings.push(...remarks.map((remark) => place + remark));
  }
  if (read.length === 0) {
    throw new RecollectError(
      'CAPTURE_EMPTY',
      'There is nothing to save: send text as selection, pageText or messages, a page as html, or a PDF as pdf.',
    );
  }
  if (empty.length > 0) {
    throw new RecollectError(
      'CAPTURE_EMPTY',
      `Nothing was saved: the captures at these positions have no text: ${empty.join(', ')}. Leave them out or fill them.`,
      { errors: empty.map((index) => ({ pointer: `/${index}`, message: 'has no text' })) },
    );
  }
  // Together, since each hash is a message to a thread and its answer.
  const hashes = await Promise.all(read.map(({ urlKey, chunks }) => contentHashOf(urlKey, chunks.join(''))));
  return {
    memories: read.map(({ ownTitle: _, isTitleStated: __, ...memory }, at) => ({
      ...memory,
      contentHash: hashes[at] ?? '',
    })),
    ownTitles: read.map(({ ownTitle }) => ownTitle),
    statedTitles: read.map(({ isTitleStated }) => isTitleStated),
    warnings,
  };
}

/** Spells the tags of new memories as earlier ones do, and each tag alike in all of them. */
export async function spellTagsOf(
  ports: Pick<CorePorts, 'memories'>,
  userId: string,
  drafts: NewMemory[],
): Promise<NewMemory[]> {
  const all = uniqueTags(drafts.flatMap(({ memory }) => memory.tags));
  if (all.length === 0) return drafts;
  const spelled = new Map((await spellTags(ports.memories, userId, all)).map((tag) => [tagKey(tag), tag]));
  return drafts.map((draft) => {
    const tags = draft.memory.tags.map((tag) => spelled.get(tagKey(tag)) ?? tag);
    return { ...draft, memory: { ...draft.memory, tags } };
  });
}

function throwIn(error: unknown, index: number, isOneOfMany: boolean): never {
  throw error instanceof RecollectError ? prefixPointers(error, index, isOneOfMany) : error;
}
