/** A word with apostrophes, such as `O'Brien`. Each of these begins where a word begins: from every letter of a long word, it would take quadratic time. */
const WITH_APOSTROPHES = /(?<![\p{L}\p{M}])[\p{L}\p{M}]+(?:['’ʼ][\p{L}\p{M}]+)+/gu;
/** A number with its digits in groups of three, such as `48,250`. Spaces between groups are as likely to be between numbers. */
const GROUPED = /(?<![\p{L}\p{N}])\d{1,3}([,.'’])\d{3}(?:\1\d{3})*(?![\p{L}\p{N}]|\1\d)/gu;
/** A word with capitals inside, such as `parseHTTPHeaders`. */
const WITH_CAPITALS = /(?<![\p{L}\p{N}])\p{L}*(?:\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll})[\p{L}\p{N}]*/gu;
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+/gu;
/** A longer name is data. */
const MOST_PARTS = 6;

/**
 * Other spellings under which people look for words of a text: without apostrophes, numbers without separators, and the parts of
 * names in camel case, alone and joined.
 *
 * @example
 * otherSpellings("O'Brien paid 48,250"); // ['OBrien', '48250']
 * otherSpellings('parseHTTPHeaders'); // ['parse', 'parseHTTP', 'HTTP', 'HTTPHeaders', 'Headers']
 */
export function otherSpellings(text: string): string[] {
  const spellings = new Set<string>();
  for (const [word] of text.matchAll(WITH_APOSTROPHES)) spellings.add(word.replace(/['’ʼ]/g, ''));
  for (const [number] of text.matchAll(GROUPED)) spellings.add(joinDigits(number));
  for (const [name] of text.matchAll(WITH_CAPITALS)) for (const part of partsOf(name)) spellings.add(part);
  return [...spellings];
}

/**
 * Writes numbers without separators between groups of digits.
 *
 * @example
 * joinGroups('about 48,250 euros'); // 'about 48250 euros'
 */
export function joinGroups(text: string): string {
  return text.replace(GROUPED, (number) => joinDigits(number));
}

function joinDigits(number: string): string {
  return number.replace(/\D/g, '');
}

/** All runs of neighbouring parts but the whole. */
function partsOf(name: string): string[] {
  const parts = name.match(PARTS) ?? [];
  if (parts.length < 2 || parts.length > MOST_PARTS) return [];
  return parts.flatMap((_, start) =>
    Array.from({ length: parts.length - start }, (_, more) => parts.slice(start, start + more + 1))
      .filter((run) => run.length < parts.length)
      .map((run) => run.join('')),
  );
}
