import { createMatcher } from '@recollect/contract/text';
import type { Item } from '../state/library.js';

/** The first words of a stored conversation. */
const QUESTION = /^(?:user|human|you): /i;
const ANSWER = /\s(?:assistant|model|ai|chatgpt|claude): /i;
/** The boxes of a list of tasks: at its beginning, and between two tasks. */
const FIRST_BOX = /(^|:\s)\[[ xX]\] /g;
const BOX = /\s\[[ xX]\] /g;
/**
 * The rest of a text after its title, unless the title begins a longer word or sentence:
 * "Teapots", "tar -x", "Tea is steeped".
 */
const NEXT_SENTENCE = /^$|^[.:…·–—|-]|^\s+(?:[.:…·–—|]|-\s|[\p{Lu}\p{Lt}"“„«¿¡[])/u;

/**
 * The part of a text that a row shows: the question of a conversation, and no title twice.
 *
 * @example
 * shownExcerpt({ title: 'Tea', excerpt: 'Tea Steep it below boiling.' }); // 'Steep it below boiling.'
 * shownExcerpt({ title: 'To do', excerpt: '[ ] buy tea [x] call Ana' }); // 'buy tea · call Ana'
 * shownExcerpt({ title: 'Tea', excerpt: 'user: How hot? assistant: 70 degrees.' }); // 'How hot?'
 */
export function shownExcerpt({ title, excerpt }: { title: string; excerpt: string }): string {
  const text = excerpt.replace(FIRST_BOX, '$1').replace(BOX, ' · ');
  if (QUESTION.test(text)) return (text.replace(QUESTION, '').split(ANSWER)[0] ?? '').trim();
  const rest = text.startsWith(title) ? text.slice(title.length) : text;
  return rest === text || !NEXT_SENTENCE.test(rest) ? text : rest.replace(/^[\s.:…·–-]+/, '');
}

/** Characters before the first match that fit into the line with it on a phone. */
const LEAD_CHARACTERS = 30;

/**
 * An excerpt that begins shortly before its first word of a search, for a row that shows little more than its
 * beginning.
 *
 * @example
 * fromFirstMatch('…all fonts of Latin, Greek and Cyrillic letters, in any paper size.', 'paper');
 * // '…and Cyrillic letters, in any paper size.'
 */
export function fromFirstMatch(excerpt: string, words: string): string {
  const at = createMatcher(words)(excerpt)[0]?.start ?? 0;
  if (at <= LEAD_CHARACTERS) return excerpt;
  const from = excerpt.indexOf(' ', at - LEAD_CHARACTERS) + 1;
  return from === 0 || from > at ? `…${excerpt.slice(at)}` : `…${excerpt.slice(from)}`;
}

/** The share of a score from which words count as a reason. */
const MIN_WORDS_SHARE = 0.2;

/** Why a search found a memory, where the marked words do not show it. Empty in lists. */
export function explainMatch({
  match,
}: {
  match?: Pick<NonNullable<Item['match']>, 'text' | 'meaning'> | undefined;
}): string {
  return match !== undefined && match.text < MIN_WORDS_SHARE && match.meaning > 0 ? 'by meaning' : '';
}
