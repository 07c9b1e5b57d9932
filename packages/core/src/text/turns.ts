/** Between two turns of a conversation. */
export const GAP = '\n\n';

/** Roles that captures of chats use. Only they mark a turn in a conversation whose turn positions were not stored. */
const KNOWN_ROLE = /(?:^|\n\n)(?=(?:user|assistant|system|tool|human|ai|you|chatgpt|claude|openclaw): )/gi;
const ROLE = /^([^\n:]{1,64}): /;

export interface Turn {
  /** Empty if the turn has none. */
  role: string;
  text: string;
}

/**
 * Splits the text of a conversation into its turns. `starts` is where each of them starts, or null for a conversation
 * that was saved before this was stored, whose turns are found by the names of their roles.
 *
 * @example
 * splitTurns('user: Hello\n\nassistant: Hi', [0, 13]); // [{ role: 'user', text: 'Hello' }, …]
 */
export function splitTurns(text: string, starts: readonly number[] | null): Turn[] {
  const at = starts ?? findStarts(text);
  return at.map((start, index) => {
    const next = at[index + 1];
    const turn = text.slice(start, next === undefined ? undefined : next - GAP.length);
    const role = ROLE.exec(turn);
    return role === null ? { role: '', text: turn } : { role: role[1] ?? '', text: turn.slice(role[0].length) };
  });
}

function findStarts(text: string): number[] {
  const starts = Array.from(text.matchAll(KNOWN_ROLE), ({ 0: gap, index }) => index + gap.length);
  return starts[0] === 0 ? starts : [0, ...starts];
}
