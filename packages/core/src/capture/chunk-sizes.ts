import { OVERLAP_TOKENS, TITLE_TOKENS } from '../indexing/embedding-input.js';
import type { EmbeddingModel } from '../ports/index.js';
import { countingUnread } from './count-unread.js';
import { estimateTokens } from './estimate-tokens.js';

/** Special tokens around a text, such as [CLS] and [SEP]. */
const SPECIAL_TOKENS = 2;
/**
 * Chunks do not grow for models that read more: on Cranfield and on conversations, chunks of 100, 180 and 240 tokens scored
 * within .01 of each other, and a shorter chunk makes a better excerpt.
 */
const MAX_READ_TOKENS = 256;
/** Chunks of a long text are filled to this share of the maximum, so that sentences need not be cut. */
const FILL = 0.9;
/** The median ratio of true to estimated tokens, over Cranfield's abstracts. */
const ESTIMATE_RATIO = 0.88;

/** In tokens of a model. */
export interface ChunkSizes {
  /** The approximate size of the chunks of a long text. */
  target: number;
  maximum: number;
  countTokens(text: string): number;
}

/**
 * The chunk sizes for a model: the tokens that it reads, minus the title, the overlap and the prefix that are embedded with a
 * chunk. Without a model, the sizes for one that reads 256 tokens, counted by an estimate.
 */
export function chunkSizesFor(model: EmbeddingModel | null): ChunkSizes {
  const { maxTokens, countTokens, prefixes, scripts } = model?.profile ?? UNKNOWN_MODEL;
  const reserved = SPECIAL_TOKENS + countTokens(prefixes.document) + TITLE_TOKENS + OVERLAP_TOKENS;
  // A model that reads very few tokens reads only part of each chunk.
  const maximum = Math.max(TITLE_TOKENS, Math.min(maxTokens, MAX_READ_TOKENS) - reserved);
  return { target: Math.floor(FILL * maximum), maximum, countTokens: countingUnread(scripts, countTokens) };
}

const UNKNOWN_MODEL = {
  maxTokens: MAX_READ_TOKENS,
  countTokens: (text: string) => Math.ceil(ESTIMATE_RATIO * estimateTokens(text)),
  prefixes: { document: '' },
  scripts: ['Latin'],
};
