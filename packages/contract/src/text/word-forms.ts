import { stemmer } from 'stemmer';
import { operatorNames } from '../query-syntax/operators.js';
import { plainLetters } from './letters.js';
import { withoutProclitics } from './proclitics.js';

/** English words that say nothing about the topic of a question. They are ignored while other words remain. */
export const stopWords: ReadonlySet<string> = new Set(
  `a about above after again against all am an and any are as at be because been before being below between both but by
  can cannot could did do does doing don down during each few for from further had has have having he her here hers
  herself him himself his how i if in into is it its itself just ll me more most my myself no nor not now of off on once
  only or other our ours ourselves out over own re s same she should so some such t than that the their theirs them
  themselves then there these they this those through to too under until up ve very was we were what when where which
  while who whom why will with would you your yours yourself yourselves`.split(/\s+/),
);

/** A word in lower case and in the letters by which it is found. */
export function foldWord(word: string): string {
  return plainLetters(word).toLowerCase();
}

/**
 * Makes a function that says which of some words of a query, folded, a word of a text is a form of: one with the same
 * stem, by the algorithm of the full-text index (Porter, "An algorithm for suffix stripping", 1980), one that differs
 * by its proclitics, or a longer one that begins with the prefix.
 *
 * @param prefix a word of the query that may be unfinished
 *
 * @example
 * createFormFinder(['Running', 'tea'])('runs'); // 'running'
 */
export function createFormFinder(
  words: readonly string[],
  prefix: string | null = null,
): (word: string) => string | undefined {
  const folded = words.map(foldWord);
  const byStem = new Map(folded.map((word) => [stemOf(word), word]).reverse() as [string, string][]);
  const beginning = prefix === null ? null : foldWord(prefix);
  const bare = new Map(
    folded.flatMap((word) => [...withoutProclitics(word), word].map((form) => [form, word] as const)),
  );
  // All forms of a word have the same first letter, which rules out most words of a text.
  const initials = new Set([...folded, ...(beginning === null ? [] : [beginning])].map((word) => word[0]));
  const findForm = (word: string) => {
    const form = foldWord(word);
    const found = byStem.get(stemOf(form));
    if (found !== undefined) return found;
    const forms = [form, ...withoutProclitics(form)];
    const other = forms.find((some) => bare.has(some));
    if (other !== undefined) return bare.get(other);
    return beginning !== null && forms.some((some) => some.startsWith(beginning)) ? beginning : undefined;
  };
  const formsByWord = new Map<string, string | undefined>();
  return (word) => {
    const initial = word[0] ?? '';
    if (initial < '\u0080' && !initials.has(initial.toLowerCase())) return undefined;
    if (!formsByWord.has(word)) formsByWord.set(word, findForm(word));
    return formsByWord.get(word);
  };
}

/**
 * Matches, in a text of ASCII, the words that may be forms of some words or begin with the prefix, and few others: a
 * word begins with its stem, except for the last letter of that, as "happy" with "happi".
 *
 * @example
 * 'Steep tea. Teas steeped.'.match(formPattern(['tea'])); // ['tea', 'Teas']
 */
export function formPattern(words: readonly string[], prefix: string | null = null): RegExp {
  const beginnings = words.map((word) => stemOf(foldWord(word)).replace(/(?<=.).$/su, ''));
  if (prefix !== null) beginnings.push(foldWord(prefix));
  const plain = beginnings.filter((beginning) => /^\w+$/.test(beginning));
  return plain.length === 0 ? /(?!)/g : new RegExp(`\\b(?:${[...new Set(plain)].join('|')})\\w*`, 'gi');
}

/**
 * Makes a function that says which of some parts, folded, stands within a word of a text: the part, or its stem.
 *
 * @example
 * createPartFinder(['completes'])('autocompletion'); // 'completes'
 */
export function createPartFinder(parts: readonly string[]): (word: string) => string | undefined {
  const stems = parts
    .map((part) => [part, stemOf(part)] as const)
    .filter(([, stem]) => stem.length >= MIN_PART_LETTERS);
  if (stems.length === 0) return () => undefined;
  return (word) => {
    const folded = foldWord(word);
    return stems.find(([, stem]) => folded.length > stem.length && folded.indexOf(stem, 1) > 0)?.[0];
  };
}

/** Letters of a part that is looked for within words. */
const MIN_PART_LETTERS = 4;

/**
 * The stem of a folded word in the full-text index, which changes the endings of English words of three letters and
 * more.
 *
 * @example
 * stemOf('bees'); // 'bee'
 */
export function stemOf(word: string): string {
  return /^[a-z]{3,}$/.test(word) ? stemmer(word) : word;
}

/**
 * A word with apostrophes, such as `O'Brien`. Each of these begins where a word begins: from every letter of a long
 * word, it would take quadratic time.
 */
const WITH_APOSTROPHES = /(?<![\p{L}\p{M}])[\p{L}\p{M}]+(?:['’ʼ][\p{L}\p{M}]+)+/gu;
/**
 * A number with its digits in groups of three, such as `48,250`. Spaces are not separators here: they are as likely to
 * be between numbers. Also matches if letters or digits follow, which are captured to reject the match; otherwise the
 * search would restart at each group.
 */
const GROUPED = /(?<![\p{L}\p{N}])\d{1,3}([,.'’])\d{3}(?:\1\d{3})*(?:(?=([\p{L}\p{N}]|\1\d))|)/gu;
/** A word with capitals inside, such as `parseHTTPHeaders`. */
const WITH_CAPITALS = /(?<![\p{L}\p{N}])\p{L}*(?:\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll})[\p{L}\p{N}]*/gu;
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+/gu;
/** A longer name is data. */
const MAX_PARTS = 6;

/** A part of a text, as people may spell it. */
interface Spelling {
  word: string;
  /** Its place in the text, in UTF-16 code units. */
  start: number;
  end: number;
}

/**
 * Other spellings under which people look for words of a text: without apostrophes, numbers without separators, and the
 * parts of names in camel case, alone and joined.
 *
 * @example
 * otherSpellings("O'Brien paid 48,250"); // ['OBrien', '48250']
 * otherSpellings('parseHTTPHeaders'); // ['parse', 'parseHTTP', 'HTTP', 'HTTPHeaders', 'Headers']
 */
export function otherSpellings(text: string): string[] {
  return [...new Set(Array.from(spellingsIn(text), ({ word }) => word))];
}

/** The same, each with every place where it stands. */
export function* spellingsIn(text: string): Generator<Spelling> {
  for (const { 0: word, index: start } of find(WITH_APOSTROPHES, /['’ʼ]/, text))
    yield { word: word.replace(/['’ʼ]/g, ''), start, end: start + word.length };
  for (const { 0: number, 2: more, index: start } of find(GROUPED, /\d[,.'’]\d{3}/, text))
    if (more === undefined) yield { word: joinDigits(number), start, end: start + number.length };
  for (const { 0: name, index: start } of find(WITH_CAPITALS, /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u, text))
    yield* partsOf(name, start);
}

/**
 * The matches of a pattern. Most texts have none, and not even the sign of one, which takes a fraction of the time to
 * find.
 */
function find(pattern: RegExp, sign: RegExp, text: string): Iterable<RegExpExecArray> {
  return sign.test(text) ? text.matchAll(pattern) : [];
}

/**
 * Writes numbers without separators between groups of digits.
 *
 * @example
 * joinGroups('about 48,250 euros'); // 'about 48250 euros'
 */
export function joinGroups(text: string): string {
  return text.replace(GROUPED, (number, _, more?: string) => (more === undefined ? joinDigits(number) : number));
}

function joinDigits(number: string): string {
  return number.replace(/\D/g, '');
}

/** All runs of neighbouring parts but the whole. */
function* partsOf(name: string, at: number): Generator<Spelling> {
  const parts = [...name.matchAll(PARTS)];
  if (parts.length < 2 || parts.length > MAX_PARTS) return;
  for (const [first, { index: start }] of parts.entries())
    for (const [last, { 0: part, index }] of parts.entries()) {
      if (last < first || last - first + 1 === parts.length) continue;
      const end = index + part.length;
      yield { word: parts.slice(first, last + 1).join(''), start: at + start, end: at + end };
    }
}

/** An operator with its value, or words without white space. */
const PART = /-?\w+:"[^"]*"|\S+/g;
/** The part of a query that is not searched for. */
const OTHER = new RegExp(`^(?:-|(?:${operatorNames.join('|')}):)`, 'i');

/**
 * A query with a correction applied: each corrected word is replaced where it is written, as a whole and in the order
 * of the query. Operators and excluded words do not change.
 *
 * @example
 * replaceWords('tag:stret stret lamps', { from: 'stret', to: 'street' }); // 'tag:stret street lamps'
 */
export function replaceWords(text: string, { from, to }: { from: string; to: string }): string {
  const [words, others] = [from.split(' '), to.split(' ')];
  let next = 0;
  return text.replace(PART, (part) => {
    if (OTHER.test(part)) return part;
    return part.replace(/[\p{L}\p{N}\p{M}_]+/gu, (word) => {
      if (word.toLowerCase() !== words[next]?.toLowerCase()) return word;
      next += 1;
      return others[next - 1] ?? word;
    });
  });
}
