import { foldWord } from './word-forms.js';

/**
 * Elements that people and generators write into Markdown. Other words in angle brackets are text, as in `Map<string>`.
 */
const ELEMENTS = [
  'a|abbr|article|aside|audio|b|big|blockquote|br|button|center|code|dd|del|details|div|dl|dt|em|figcaption|figure|font|footer',
  'form|h[1-6]|header|hr|i|iframe|img|input|ins|kbd|label|li|main|mark|nav|ol|p|path|picture|pre|s|samp|section|small|source',
  'span|strong|sub|summary|sup|svg|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var|video',
].join('|');
/** Passages quoted as code, where HTML is the text. */
const CODE = '```[\\s\\S]*?(?:```|$)|~~~[\\s\\S]*?(?:~~~|$)|`[^`\\n]+`';
/** A comment, or a script or style sheet with its content, also if its end is missing. */
const HIDDEN = '<!--[\\s\\S]*?(?:-->|$)|<(?<raw>script|style)(?:\\s[^<>]*)?>[\\s\\S]*?(?:</\\k<raw>>|$)';
/** The address of a link, perhaps with a title, or the name of its definition. */
const TARGET = '(?:\\([^()\\s]*(?:[ \\t]+"[^"\\n]*")?\\)|\\[[^[\\]\\n]*\\])';
/** An image that is a link, such as the badges at the top of a README, or one of a service of badges. */
const BADGE = `\\[!\\[(?:\\\\.|[^[\\]\\\\\\n])*\\]${TARGET}[ \\t]*\\]${TARGET}|!\\[[^[\\]\\n]*\\]\\([^()\\s]*(?:shields\\.io|badge|codecov\\.io|travis-ci)[^()\\s]*(?:[ \\t]+"[^"\\n]*")?\\)`;
const TAG = `</?(?:${ELEMENTS})(?:\\s[^<>]*)?/?>`;
/** The beginning of an element, a link or a badge at the end of a text that was cut there. */
const CUT = `<(?:${ELEMENTS})\\s[^<>]*$|\\[!\\[[^[\\]\\n]*(?:\\](?:\\([^()\\s]*\\)?|\\[[^[\\]\\n]*\\]?)?\\]?)?$`;
const HTML = new RegExp(`(?<code>${CODE})|${HIDDEN}|${BADGE}|${TAG}|${CUT}|&(?<entity>amp|lt|gt|quot|#39|nbsp);`, 'gi');
/** Matches the beginning of HTML, and of text that could be taken for it. */
const HTML_SIGN = /[<&]|!\[/;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

/**
 * Markdown without the HTML in it: comments, tags, scripts and badges; entities are characters. Code keeps what it
 * shows.
 *
 * @example
 * withoutHtml('<!-- 18480 -->\n<p align="center">Tea &amp; `<b>`</p>'); // '\nTea & `<b>`'
 */
export function withoutHtml(markdown: string): string {
  if (!HTML_SIGN.test(markdown)) return markdown;
  return markdown.replace(HTML, (...found) => {
    const { code, entity } = found.at(-1) as Record<string, string | undefined>;
    return code ?? ENTITIES[entity?.toLowerCase() ?? ''] ?? '';
  });
}

/**
 * Markdown without its syntax, as it reads on a page: labels of links without their definitions, cells of tables
 * (separated by tabs), no marks of headings, lists, quotes, emphasis, code and footnotes, no horizontal rules, and no
 * HTML. Lines stay lines. Of a link that was cut at either end of the text, no address is left.
 *
 * @example
 * plainText('# Tea\n[Steep it](https://tea.example) **below** boiling. [More](https://tea.exa');
 * // 'Tea\nSteep it below boiling. More'
 */
export function plainText(markdown: string): string {
  const text = withoutLinks(withoutHtml(markdown))
    .replace(/^ {0,3}([-*_=])(?:[ \t]*\1){2,}[ \t]*$/gm, '')
    .replace(/^[ \t]*(?:>[ \t]*)+/gm, '')
    .replace(/^[ \t]*(?:(?:#{1,6}|[-*+]|\d{1,3}[.)])(?:[ \t]+|$))+/gm, '')
    .replace(/^[ \t]*(?:```|~~~).*$/gm, '');
  return withoutRows(withoutUnderscores(withoutEmphasis(text)));
}

/** Most texts lack these characters, and looking for them is much faster than a pattern. */
function withoutLinks(text: string): string {
  const bare = text.replace(/^(?=[^\s()[\]]*[/.#])[^\s()[\]]*\)/, '');
  if (!text.includes('[') && !text.includes(']')) return withoutBrackets(bare);
  return withoutBrackets(text)
    .replace(/(?<![\w\])])!\[\[[^[\]\n]*\]\]/g, '')
    .replace(/(?<![\w\])])\[\[(?:[^[\]|\n]*\|)?([^[\]|\n]*)\]\]/g, '$1')
    .replace(/^([ \t]*>[ \t]*)\[!\w{1,40}\][+-]?/gm, '$1')
    .replace(/!?(?<!\\)\[((?:\\.|[^[\]\\\n])*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"\n]*")?\)/g, '$1')
    .replace(/!?(?<!\\)\[((?:\\.|[^[\]\\\n])*)\]\([^()\s]*$/, '$1')
    .replace(/^(?=[^\s()[\]]*[/.#])[^\s()[\]]*\)/, '')
    .replace(/\]\(https?:\/\/(?:[^()\s]|\([^()\s]*\))*\)?/g, '')
    .replace(/(?<![\w\])])!?\[([^[\]\n]+)\]\[[^[\]\n]*\]/g, '$1')
    .replace(/^ {0,3}\[[^\]^\n\r\u2028\u2029][^\]\n\r\u2028\u2029]*\]:[ \t]*<?(?:https?:|mailto:|[./#]).*$/gm, '')
    .replace(/^ {0,3}\[\^\w{1,40}\]:[ \t]*/gm, '')
    .replace(/\[\^\w{1,40}\]/g, '');
}

function withoutBrackets(text: string): string {
  return text.includes('<') ? text.replace(/<((?:https?:\/\/|mailto:)[^<>\s]*)>/g, '$1') : text;
}

function withoutUnderscores(text: string): string {
  let plain = text;
  if (plain.includes('_'))
    plain = plain
      .replace(/__(?=\S)((?:(?!__)[^\n])+)(?<=\S)__/g, '$1')
      .replace(/(?<![\p{L}\p{N}_/.])_(?=[^\s_])([^_\n]*)(?<=\S)_(?![\p{L}\p{N}_/])/gu, '$1');
  if (plain.includes('~~')) plain = plain.replace(/~~(?=\S)((?:(?!~~)[^\n])+)(?<=\S)~~/g, '$1');
  return plain.includes('==') ? plain.replace(/==(?=[^\s=])([^=\n]+)(?<=\S)==/g, '$1') : plain;
}

/** Without the lines between the cells of tables, and what keeps a sign from being syntax. */
function withoutRows(text: string): string {
  const plain = text.includes('|')
    ? text.replace(/^[ \t]*\|(.*)\|[ \t]*$/gm, (_, row: string) =>
        row.replace(/^[-:| ]+$/, '').replace(/(?<!\\)\|/g, '\t'),
      )
    : text;
  return plain.includes('\\') ? plain.replace(/\\([\\`*_[\]()#+.!|>-])/g, '$1') : plain;
}

/**
 * Markdown without the asterisks of emphasis and the marks of code in a line. Underscores stay, which are parts of
 * names as well.
 *
 * @example
 * withoutEmphasis('**Green** tea, `70 °C`'); // 'Green tea, 70 °C'
 */
export function withoutEmphasis(markdown: string): string {
  if (!markdown.includes('*') && !markdown.includes('`')) return markdown;
  return markdown
    .replace(/(\*\*|`)(?=\S)((?:(?!\1)[^\n])+)(?<=\S)\1/g, '$2')
    .replace(/(?<![\w*])\*(?=\S)([^*\n]*?\S)\*(?![\w*])/g, '$1')
    .replace(/(?<![\w*])\*\*(?=[^\s*][^\n*]*$)/gm, '');
}

const HEADLINE = /^\s*#{1,6}[ \t]+([^\n]*)(?:\n|$)/;
/** Separator between a headline and the name of the site in the title of a page. */
const SEPARATOR = /^\s+[—–|·•»/-]\s/;

/**
 * Whether a headline says what the title does, perhaps without the name of the site, which many titles of pages end
 * with.
 *
 * @example
 * repeatsTitle('Green  tea ¶', 'Green tea — Kitchen notes'); // true
 */
export function repeatsTitle(headline: string, title: string): boolean {
  const words = normalise(headline.replace(/(?<![¶#\s])[¶#\s]+$/, ''));
  const whole = normalise(title);
  if (words === '' || !whole.startsWith(words)) return false;
  const rest = whole.slice(words.length);
  return rest === '' || SEPARATOR.test(rest);
}

const normalise = (text: string) => foldWord(text).replace(/\s+/g, ' ').trim();

/**
 * Markdown without a first headline that repeats its title.
 *
 * @example
 * withoutHeadline('# 1\\. Tea\n\nSteep it.', '1. Tea — Kitchen notes'); // '\nSteep it.'
 */
export function withoutHeadline(markdown: string, title: string): string {
  const [line, headline = ''] = HEADLINE.exec(markdown) ?? [];
  if (line === undefined) return markdown;
  // Titles are plain, but some of them quote Markdown.
  if (![headline, plainText(line)].some((words) => repeatsTitle(words, title))) return markdown;
  const rest = markdown.slice(line.length);
  return rest.trim() === '' ? markdown : rest;
}

/**
 * The beginning of a Markdown text as lists show it under its title: plain, on one line, without a headline that
 * repeats the title.
 *
 * @example
 * beginningOf('# Tea\n\nSteep **green** tea.', 'Tea'); // 'Steep green tea.'
 */
export function beginningOf(markdown: string, title: string): string {
  return plainText(withoutHeadline(markdown, title)).replace(/\s+/g, ' ').trim();
}
