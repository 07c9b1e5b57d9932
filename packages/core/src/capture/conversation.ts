import type { Conversation } from '../memory.js';
import { splitIntoChunks } from './split-into-chunks.js';

/** Between two turns. */
const GAP = '\n\n';

/** Turns as one text. */
export function joinTurns(turns: readonly string[]): string {
  return turns.join(GAP);
}

/** Turns compared one by one: a turn that was edited, or has grown, is another conversation (CAP-13). */
export function createConversation(turns: readonly string[]): Conversation {
  return {
    turns: turns.length,
    chunksAfter(count, text) {
      if (count >= turns.length || joinTurns(turns.slice(0, count)) !== text) return null;
      return splitIntoChunks(GAP + joinTurns(turns.slice(count)));
    },
  };
}
