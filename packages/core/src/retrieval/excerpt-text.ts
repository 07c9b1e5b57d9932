import { plainText, searchedLetters, withoutHeadline } from '@recollect/contract/text';
import { splitTurns, type Turn } from '../text/turns.js';

/** The source of an excerpt. */
export interface ExcerptOf {
  /** A first heading that repeats it is left out. */
  title?: string | undefined;
  /** Whether the text has turns that begin with roles. */
  isConversation?: boolean | undefined;
}

/** A text as excerpts are taken from it: plain, without empty lines. */
export interface ExcerptText {
  text: string;
  /** Where the first sentence that says something begins. */
  start: number;
  /** Where the question of a conversation ends, or the text. */
  end: number;
}

/** A link with its label. */
const LINK = /!?(?<!\\)\[((?:\\.|[^[\]\\])*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"]*")?\)/g;
const LETTERS = /[\p{L}\p{N}]/gu;
const WORDS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu;
const FENCE = /^[ \t]*(?:```|~~~)/;
/** Markup before the words of an item, a heading or a row. */
const MARK = /^[\s>|#*+-]*(?:\d{1,3}[.)]\s+)?/;
/** A heading over the parts of a page, in the languages that write it often. */
const CONTENTS =
  /^(?:table of contents|contents|toc|on this page|in this (?:article|guide|post|page)|(?:jump|skip) to(?: section| content)?|inhalt(?:sverzeichnis)?|auf dieser seite|sommaire|table des matières|índice|contenido|tabla de contenidos?|indice|inhoud(?:sopgave)?|spis treści|innehåll|содержание|оглавление|目次|目录|目錄|目차|المحتويات|תוכן)$/iu;
/** An entry of printed contents: dots, and the number of a page. */
const LEADER = /(?:\.{4}|…{2}|(?:\. ){3}|(?:·){4})[\s.…·]{0,200}\d{1,4}$/;
const TASK = /^\s*[-*+]\s+\[[ xX]\]\s/;
const CODE = /[{}=;<>]|\(\)/;
const SENTENCE_END = /[.!?…:;。！？：؟।]["'”’»)\]*_]*$/u;

/** Lines of links alone that are a list of them, and short lines that are a menu. */
const MIN_LISTING = { links: 3, lines: 5 };
/**
 * Words of a line that may be an entry of a menu, and of one that says something though it does not end like a
 * sentence.
 */
const MENU_WORDS = 6;
const SENTENCE_WORDS = 8;
/** Characters of a line that is not looked at more closely, unless it has links: it says something. */
const LONG_LINE_CHARACTERS = 200;
const MAX_HEADING_CHARACTERS = 40;

/**
 * A Markdown text as an excerpt shows it: without its syntax, lists of links and tables of contents, unless it has
 * nothing else, and without the roles of a conversation.
 *
 * @example
 * excerptText('- [Tea](#tea)\n- [Cups](#cups)\n- [Pots](#pots)\n\nSteep **green tea** below boiling.').text;
 * // 'Steep green tea below boiling.'
 */
export function excerptText(markdown: string, { title, isConversation = false }: ExcerptOf = {}): ExcerptText {
  if (isConversation) return conversationText(markdown);
  const body = title === undefined ? markdown : withoutHeadline(markdown, title);
  // Most passages are a paragraph.
  const lines = body.includes('\n') ? toLines(body) : [];
  if (lines.length === 0) {
    const text = flat(body);
    return { text, start: 0, end: text.length };
  }
  const content = lines.filter(({ isListing }) => !isListing);
  const shown = content.some(({ saysSomething }) => saysSomething) ? content : lines;
  const text = flat(shown.map(({ line }) => line).join('\n'));
  const skipped = menuBefore(shown);
  const end = text.length;
  if (skipped === 0) return { text, start: 0, end };
  const rest = flat(
    shown
      .slice(skipped)
      .map(({ line }) => line)
      .join('\n'),
  );
  return { text, start: text.endsWith(rest) ? end - rest.length : 0, end };
}

/** Plain text in lines, without empty ones. */
function flat(markdown: string): string {
  // Nearly all spaces stand alone, and stay.
  return plainText(markdown)
    .replace(/(?! (?!\s))[^\S\n]+/g, ' ')
    .replace(/ ?\n[\n ]*/g, '\n')
    .trim();
}

interface Line {
  line: string;
  /** Whether it is part of a list of links or of a table of contents. */
  isListing: boolean;
  saysSomething: boolean;
  /** Whether it may be an entry of a menu. */
  isShort: boolean;
}

function toLines(markdown: string): Line[] {
  let isCode = false;
  let isContents = false;
  const lines = markdown.split('\n').map((line): Line & { links: number; isBlank: boolean } => {
    const isFence = FENCE.test(line);
    if (isFence) isCode = !isCode;
    const isPlain = !isCode && !isFence;
    const links = isPlain ? linksOf(line) : 0;
    if (isPlain && links === 0 && line.length > LONG_LINE_CHARACTERS) {
      isContents = false;
      return { line, links, isBlank: false, saysSomething: true, isShort: false, isListing: false };
    }
    const words = (line.includes('](') ? line.replace(LINK, '$1') : line).replace(MARK, '').trim();
    const isBlank = words === '';
    const saysSomething = isPlain && !isBlank && isSentence(words);
    const isShort = isPlain && !isBlank && !saysSomething && isMenuEntry(words) && !TASK.test(line);
    if (
      isPlain &&
      words.length <= MAX_HEADING_CHARACTERS &&
      CONTENTS.test(words.replace(/(?<![\s*_:])[\s*_:]+$/, '').replace(/^[*_]+/, ''))
    )
      isContents = true;
    else if (!isBlank && !isShort && links === 0) isContents = false;
    return { line, links, isBlank, saysSomething, isShort, isListing: isPlain && (isContents || LEADER.test(words)) };
  });
  for (let from = 0; from < lines.length; ) {
    let to = from;
    let links = 0;
    for (; to < lines.length && ((lines[to]?.links ?? 0) > 0 || lines[to]?.isBlank === true); to++)
      links += lines[to]?.links ?? 0;
    if (links >= MIN_LISTING.links) for (const line of lines.slice(from, to)) line.isListing = true;
    from = Math.max(to, from + 1);
  }
  return lines;
}

/** How many links a line has, if it has little else. */
function linksOf(line: string): number {
  if (!line.includes('](')) return 0;
  const labels = Array.from(line.matchAll(LINK), ([, label = '']) => label);
  if (labels.length === 0) return 0;
  const inLinks = lettersOf(labels.join(''));
  return 4 * lettersOf(line.replace(LINK, '')) <= inLinks ? labels.length : 0;
}

const lettersOf = (text: string) => text.match(LETTERS)?.length ?? 0;

/** The words of a line; of scripts without spaces, two letters count as one. */
function wordsOf(text: string): number {
  const unspaced = text.match(searchedLetters)?.length ?? 0;
  return (text.replace(searchedLetters, ' ').match(WORDS)?.length ?? 0) + Math.ceil(unspaced / 2);
}

function isSentence(words: string): boolean {
  const count = wordsOf(words);
  return count >= SENTENCE_WORDS || (count >= 4 && SENTENCE_END.test(words));
}

function isMenuEntry(words: string): boolean {
  return wordsOf(words) <= MENU_WORDS && !SENTENCE_END.test(words) && !CODE.test(words);
}

/** How many lines are a menu before the first that says something. */
function menuBefore(lines: readonly Line[]): number {
  const first = lines.findIndex(({ saysSomething }) => saysSomething);
  const before = lines.slice(0, Math.max(0, first)).filter(({ line }) => line.trim() !== '');
  return before.length >= MIN_LISTING.lines && before.every(({ isShort }) => isShort) ? first : 0;
}

/** Words of a question that needs no answer beside it to be understood. */
const QUESTION_WORDS = 4;
const ASKING = /^(?:user|human|you)$/i;

/** A conversation without its roles. Its excerpt is the first question, with the text after it if it is short. */
function conversationText(markdown: string): ExcerptText {
  const turns = splitTurns(markdown, null).map(({ role, text }): Turn => ({ role, text: flat(text) }));
  const asked = Math.max(
    0,
    turns.findIndex(({ role, text }) => ASKING.test(role) && wordsOf(text) > 1),
  );
  const before = turns.slice(0, asked).flatMap(({ text }) => (text === '' ? [] : [text.length + 1]));
  const text = turns.flatMap((turn) => (turn.text === '' ? [] : [turn.text])).join('\n');
  const start = before.reduce((sum, length) => sum + length, 0);
  const question = turns[asked];
  const isWhole = question !== undefined && ASKING.test(question.role) && wordsOf(question.text) >= QUESTION_WORDS;
  return { text, start, end: isWhole ? start + question.text.length : text.length };
}
