/** The first words of a conversation as it is stored. */
const QUESTION = /^(?:user|human|you): /i;
const ANSWER = /\s(?:assistant|model|ai|chatgpt|claude): /i;

/**
 * What a row shows of a text: the question of a conversation, and no title twice.
 *
 * @example
 * shownExcerpt({ title: 'Tea', excerpt: 'Tea Steep it below boiling.' }); // 'Steep it below boiling.'
 * shownExcerpt({ title: 'Tea', excerpt: 'user: How hot? assistant: 70 degrees.' }); // 'How hot?'
 */
export function shownExcerpt({ title, excerpt }: { title: string; excerpt: string }): string {
  const text = excerpt.replace(/(^|\s)\[[ xX]\] /g, '$1');
  if (QUESTION.test(text)) return (text.replace(QUESTION, '').split(ANSWER)[0] ?? '').trim();
  const rest = text.startsWith(title) ? text.slice(title.length) : text;
  // The title may be the beginning of a word.
  return rest === text || /^[\p{L}\p{N}]/u.test(rest) ? text : rest.replace(/^[\s.:…–-]+/, '');
}
