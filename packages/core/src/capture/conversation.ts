import type { Conversation } from '../memory.js';
import type { ChunkSizes } from './chunk-sizes.js';
import { splitIntoChunks } from './split-into-chunks.js';

/** Between two turns. */
const GAP = '\n\n';

export function joinTurns(turns: readonly string[]): string {
  return turns.join(GAP);
}

/** Turns are compared one by one: an edited or longer turn makes it a different conversation (CAP-13). */
export function createConversation(turns: readonly string[], sizes: ChunkSizes): Conversation {
  return {
    turns: turns.length,
    async chunksAfter(count, text) {
      if (count >= turns.length || joinTurns(turns.slice(0, count)) !== text) return null;
      return splitIntoChunks(GAP + joinTurns(turns.slice(count)), sizes);
    },
  };
}
