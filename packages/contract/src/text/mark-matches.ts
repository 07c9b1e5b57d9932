import { readWords, splitQuery } from '../query-syntax/index.js';
import { searchedLetter, searchedLetters, unseenInWords } from './letters.js';
import { createFormFinder, createPartFinder, foldWord, joinGroups, spellingsIn, stopWords } from './word-forms.js';

/** A run of letters without spaces between words, an emoji, or a word. */
const TOKEN = new RegExp(
  [
    `(?:${searchedLetters.source})+`,
    String.raw`\p{Extended_Pictographic}|\p{Regional_Indicator}{2}`,
    `(?:(?!${searchedLetter.source})[\\p{L}\\p{M}\\p{N}])(?:(?!${searchedLetter.source})[\\p{L}\\p{M}\\p{N}${unseenInWords}])*`,
  ].join('|'),
  'gu',
);

export interface Piece {
  text: string;
  isMatch: boolean;
}

/** The part of a text that matches a word of a query. */
export interface Match {
  /** In UTF-16 code units. */
  start: number;
  end: number;
  /** The word of the query, folded. */
  word: string;
}

/**
 * Splits a text into pieces, of which those that match a word of the query are marked. The pieces joined are the text.
 *
 * @example
 * markMatches('Nests of bees', 'how do bees nest').filter(({ isMatch }) => isMatch); // 'Nests' and 'bees'
 */
export function markMatches(text: string, query: string): Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  for (const { start, end } of createMatcher(query)(text)) {
    if (end <= done) continue;
    if (start > done) pieces.push({ text: text.slice(done, start), isMatch: false });
    const last = pieces.at(-1);
    // Pairs of letters overlap.
    if (last?.isMatch === true && start <= done) last.text += text.slice(done, end);
    else pieces.push({ text: text.slice(start, end), isMatch: true });
    done = end;
  }
  if (done < text.length) pieces.push({ text: text.slice(done), isMatch: false });
  return pieces;
}

/**
 * Makes a function that finds what matches the words of a query in a text, in order: words in any form or spelling,
 * pairs of letters where no spaces are written, and emoji, as a search finds them. Words that every text has count only
 * if there are no others. What begins with an unfinished last word matches only if nothing else matches that word.
 * Words that have one of the query within them match only if nothing else does.
 */
export function createMatcher(query: string): (text: string) => Match[] {
  const { words } = splitQuery(query);
  const { text: wanted } = readWords(words);
  const tokens = tokensOf(joinGroups(wanted.normalize('NFKC')));
  const meaningful = tokens.filter((token) => !stopWords.has(token.toLowerCase()));
  const all = meaningful.length > 0 ? meaningful : tokens;
  const [parts, whole] = [all.filter(isPart), all.filter((token) => !isPart(token))];
  const last = whole.at(-1);
  const prefix = last !== undefined && last.length > 1 && words.endsWith(last) ? last : null;
  const findForm = createFormFinder(whole);
  const findBeginning = prefix === null ? null : createFormFinder([], prefix);
  const findPart = createPartFinder(whole.map(foldWord));
  return (text) => {
    const places = [...placesIn(text)];
    const found = [
      ...places.flatMap(({ word: place, ...range }) => {
        const word = findForm(place);
        return word === undefined ? [] : [{ ...range, word }];
      }),
      ...parts.flatMap((part) => occurrencesOf(part, text)),
    ];
    if (findBeginning !== null && prefix !== null && !found.some(({ word }) => word === foldWord(prefix)))
      for (const { word: place, ...range } of places) {
        const word = findBeginning(place);
        if (word !== undefined) found.push({ ...range, word });
      }
    if (found.length === 0)
      for (const { word: place, ...range } of places) {
        const word = findPart(place);
        if (word !== undefined) found.push({ ...range, word });
      }
    return found.sort((a, b) => a.start - b.start || b.end - a.end);
  };
}

/** The words of a text with their places, also in their other spellings. */
function* placesIn(text: string): Generator<Match> {
  for (const { 0: word, index: start } of text.matchAll(TOKEN))
    if (!isPart(word)) yield { word, start, end: start + word.length };
  yield* spellingsIn(text);
}

/** The words of a query, with runs of letters without spaces as overlapping pairs. */
function tokensOf(text: string): string[] {
  return (text.match(TOKEN) ?? []).flatMap((token) => {
    if (!searchedLetter.test(token)) return [token];
    const letters = token.match(searchedLetters) ?? [];
    return letters.length === 1 ? letters : letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
  });
}

/** Whether a token is one that other letters may stand beside. */
function isPart(token: string): boolean {
  return searchedLetter.test(token) || /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator})/u.test(token);
}

function occurrencesOf(part: string, text: string): Match[] {
  const found: Match[] = [];
  for (let start = text.indexOf(part); start >= 0; start = text.indexOf(part, start + part.length))
    found.push({ start, end: start + part.length, word: part });
  return found;
}
