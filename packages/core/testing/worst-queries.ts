import { limits } from '@recollect/contract/limits';

/** A query that is slow to answer. */
export interface WorstQuery {
  name: string;
  query: string;
}

/** Texts with equal or endless words, which take longest to match a phrase. */
export const worstTexts: Readonly<Record<string, (letters: number) => string>> = {
  'equal words': (letters) => fillTo(letters, () => 'bobu '),
  'equal letters': (letters) => fillTo(letters, () => 'a '),
  'one letter': (letters) => 'x'.repeat(letters),
  'equal characters': (letters) => '東'.repeat(letters),
  'characters that repeat': (letters) => fillTo(letters, () => '東京都'),
  'words that repeat': (letters) => fillTo(letters, () => 'bobu bobu dance '),
};

/** Bodies of queries: the repeated unit, and possible separators. */
const UNITS: Readonly<Record<string, (at: number) => string>> = {
  'equal words': () => 'bobu ',
  'equal words and another': (at) => (at === 99 ? 'dance ' : 'bobu '),
  'equal letters': () => 'a ',
  'one letter': () => 'x',
  'distinct letters': (at) => `${String.fromCodePoint(0x61 + (at % 26))}${at < 26 ? '' : (at / 26) | 0} `,
  'distinct words': (at) => `${word(at)} `,
  'distinct characters': (at) => String.fromCodePoint(0x4e00 + at),
  'equal characters': () => '東',
  'characters that repeat': (at) => '東京都'[at % 3] ?? '',
  Thai: (at) => 'กขคงจ'[at % 5] ?? '',
  'stop words': (at) => `${['the', 'of', 'and', 'not', 'to be'][at % 5]} `,
  'mistyped words': (at) => `${word(at)}xq `,
  'long words': (at) => `${word(at).repeat(20)} `,
  'equal long words': () => `${'bobu'.repeat(25)} `,
  numbers: (at) => `${at} `,
  'grouped numbers': (at) => `${1 + (at % 9)},000,`,
  'camel case': () => 'aB',
  apostrophes: () => "a'",
  'mixed scripts': (at) => ['bobu', 'вода', '東京', 'مرحبا', 'ไทย', '한국'][at % 6] ?? '',
  'combining marks': (at) => (at === 0 ? 'a' : '\u0301'),
  'letters with marks': () => 'é\u0323 ',
  emoji: (at) => String.fromCodePoint(0x1f600 + (at % 64)),
  'joined emoji': () => '👩‍👩‍👧‍👦',
  ligatures: () => 'ﷺ',
  hyphens: () => 'bobu-',
  underscores: () => 'bobu_',
  'quoted words': (at) => `"${word(at)}" `,
  'equal phrases': () => '"bobu bobu" ',
  'distinct phrases': (at) => `"${word(at)} ${word(at + 1)}" `,
  'phrases of characters': (at) => `"東京都東${at}" `,
  'open quotation marks': () => '"bobu ',
  'quotation marks': () => '"',
  'quotation marks and spaces': () => '" ',
  'quotation marks in words': () => 'bo"bu" ',
  'excluded words': (at) => `${at === 0 ? 'bobu ' : ''}-${word(at)} `,
  'excluded phrases': (at) => `${at === 0 ? 'bobu ' : ''}-"bobu bobu ${at}" `,
  'equal exclusions': (at) => `${at === 0 ? 'bobu ' : ''}-"bobu bobu" `,
  minuses: () => '-',
  asterisks: () => 'bo* ',
  'operators of FTS5': (at) => `${['bobu', 'AND', 'NOT', 'NEAR(', 'OR', '^', ':', ')'][at % 8]} `,
  tags: (at) => `tag:${word(at)} `,
  'excluded tags': (at) => `-tag:${word(at)} `,
  sites: (at) => `site:${word(at)}.example `,
  'excluded sites': (at) => `-site:${word(at)}.example `,
  sources: (at) => `source:${['webpage', 'note', 'chat'][at % 3]} `,
  clients: (at) => `by:mcp:${word(at)} `,
  'excluded clients': (at) => `-by:key:${word(at)} `,
  states: (at) => `is:${['starred', 'unread', 'read', 'link', 'generated'][at % 5]} `,
  dates: (at) => `after:2020-01-${10 + (at % 20)} before:2030 `,
  times: (at) => `${['yesterday', 'last week', 'in March', 'two months ago', '2025'][at % 5]} `,
  'broken operators': () => 'after: site:" ',
  backslashes: () => 'tag:"\\',
  'white space': (at) => (at % 2 === 0 ? '\u3000\t' : 'a'),
  'invisible characters': () => 'a\u200b\u00ad',
  'right to left': () => 'שלום ',
  markup: () => '<a [![',
};

/**
 * Queries that are as long as they may be, of every operator and script, each made to cost the most: the same many
 * times, and within quotation marks, after a minus, with an unfinished word, with operators beside it.
 *
 * @param length characters of each query
 */
export function worstQueries(length: number = limits.query.length): WorstQuery[] {
  return Object.entries(UNITS).flatMap(([name, unit]) =>
    Object.entries(FORMS).map(([form, write]) => ({
      name: form === '' ? name : `${name}, ${form}`,
      query: write((letters) => fillTo(letters, unit).trim() || 'a', length),
    })),
  );
}

/** Ways to repeat a unit up to a query length. */
const FORMS: Readonly<Record<string, (fill: (letters: number) => string, length: number) => string>> = {
  '': (fill, length) => fill(length),
  'as a phrase': (fill, length) => `"${fill(length - 2).replaceAll('"', ' ')}"`,
  'as a short phrase': (fill, length) => `"${fill(Math.min(200, length - 2)).replaceAll('"', ' ')}"`,
  'as an excluded phrase': (fill, length) => `bobu -"${fill(length - 8).replaceAll('"', ' ')}"`,
  'as a phrase and words': (fill, length) => {
    const half = (length - 3) >> 1;
    return `"${fill(half).replaceAll('"', ' ')}" ${fill(half)}`;
  },
  'as many phrases': (fill, length) => {
    const part = Math.max(3, (length / 20) | 0) - 3;
    return Array.from({ length: 20 }, () => `"${fill(part).replaceAll('"', ' ')}"`)
      .join(' ')
      .slice(0, length);
  },
  'with a filter': (fill, length) => `${fill(length - 20)} -site:other.example`.slice(0, length),
};

/** Repeats a unit up to a number of UTF-16 code units, without half of a surrogate pair at the end. */
function fillTo(length: number, unit: (at: number) => string): string {
  const parts: string[] = [];
  for (let at = 0, size = 0; size < length; at++) {
    const part = unit(at);
    parts.push(part);
    size += part.length;
  }
  return parts
    .join('')
    .slice(0, length)
    .replace(/[\ud800-\udbff]$/, '');
}

const SYLLABLES = ['ba', 'bo', 'bu', 'da', 'do', 'ka', 'ki', 'la', 'lo', 'ma', 'mi', 'na', 'no', 'pa', 'ra', 're'];

/** Words of two syllables, and then of three: most are in texts that are made of the same syllables. */
function word(at: number): string {
  const syllable = (place: number) => SYLLABLES[(at >> (4 * place)) % 16] ?? '';
  return syllable(0) + syllable(1) + (at < 256 ? '' : syllable(2));
}
