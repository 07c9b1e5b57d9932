/**
 * Whether a model reads a text: whether at least half of its letters are of scripts that it was trained on. Vectors of
 * others are noise, and search by them makes full text worse. No model reads a text without letters and digits, such as
 * an emoji.
 *
 * @param scripts Unicode names; null for all
 * @example
 * canRead(['Latin'], '東京タワー'); // false
 * canRead(['Latin'], 'Tokyo 東京'); // true
 */
export function canRead(scripts: readonly string[] | null, text: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(text)) return false;
  if (scripts === null) return true;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const pattern = new RegExp(`[${scripts.map((script) => `\\p{Script=${script}}`).join('')}]`, 'gu');
  return 2 * (text.match(pattern)?.length ?? 0) >= letters;
}
