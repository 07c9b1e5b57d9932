import { giveTurns } from '../give-turns.js';
import type { Conversation } from '../memory.js';
import { type ChunkSizes, joinIntoChunks, measureText, type Piece } from './chunk-text.js';
/** Between two turns of a conversation. */
export const GAP = '\n\n';

export function joinTurns(turns: readonly string[]): string {
  return turns.join(GAP);
}

/** The pieces of each turn. Joining all of them gives the text of {@link joinTurns}. */
export async function measureTurns(turns: readonly string[], sizes: ChunkSizes): Promise<Piece[][]> {
  const measured: Piece[][] = [];
  const giveTurn = giveTurns();
  for (const [index, turn] of turns.entries())
    measured.push(await measureText(index < turns.length - 1 ? turn + GAP : turn, sizes, giveTurn));
  return measured;
}

/**
 * Turns are compared one by one: an edited or longer turn makes it a different conversation (CAP-13). The pieces are
 * measured beforehand, because `chunksAfter` is called in the transaction that stores the conversation.
 */
export function createConversation(
  turns: readonly string[],
  measured: readonly (readonly Piece[])[],
  sizes: ChunkSizes,
): Conversation {
  return {
    turns: turns.length,
    starts: startsOf(turns),
    chunksAfter(count, text) {
      if (count >= turns.length || joinTurns(turns.slice(0, count)) !== text) return null;
      // The stored text ends without the gap.
      return joinIntoChunks([{ text: GAP, tokens: 0 }, ...measured.slice(count).flat()], sizes);
    },
  };
}

/** Where each turn starts in the text of {@link joinTurns}. */
function startsOf(turns: readonly string[]): number[] {
  let at = 0;
  return turns.map((turn) => {
    const start = at;
    at += turn.length + GAP.length;
    return start;
  });
}
