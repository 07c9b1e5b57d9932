// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/**
 * What is not seen: characters that programs may ignore (zero width, direction, variation, tags), those without a meaning of
 * their own, annotations, and the signs that join hieroglyphs. Instructions that no reader sees are hidden in them.
 */
const INVISIBLE =
  /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Co}\p{Noncharacter_Code_Point}\u{2800}\u{fff9}-\u{fffc}\u{13430}-\u{1345f}]/gu;
const LINE_END = /\r\n?|[\u0085\u2028\u2029]/g;

/** The beginning of an address with another scheme than those of the web, also where its colon or letters are written as references. */
const FOREIGN = String.raw`(?!https?:\/\/)[a-z&\\](?:[^\s()\[\]<>/?#:]|(?<=&)#){0,100}?(?::(?!:)|&(?:colon|#0*58|#x0*3a);?)`;
/** Where Markdown has a picture, which is loaded as soon as it is shown. */
const PICTURE = /!(?=\[)/g;
/** Where it has a link, between label and target. */
const LINK = new RegExp(String.raw`\](?=\(\s*<?\s*${FOREIGN})`, 'gi');
/** Where it defines one for use elsewhere. */
const DEFINITION = new RegExp(String.raw`\](?=:\s*<?\s*${FOREIGN})`, 'gi');
/** An address in angle brackets, which elements of XML with a prefix are too. */
const AUTOLINK = /<(?=(?!https?:)[a-z][a-z0-9+.-]{1,31}:(?!:)[^\s<>]*>)/gi;
/** Elements of HTML that load something, run something or send something. */
const LOADING =
  /<(?=\/?(?:applet|audio|base|embed|form|frame|frameset|iframe|image|img|input|link|math|meta|object|portal|script|source|style|svg|template|track|video)\b)/gi;
/** Elements with an attribute that does. */
const ATTRIBUTE =
  /<(?=[a-z][^<]*?[\s"'/](?:src|srcset|style|background|poster|action|formaction|ping|on[a-z]{3,20})\s*=)/gi;
/** The attribute of a link, before an address that is none of the web. */
const HREF = new RegExp(String.raw`(\bhref\s*)=(?=\s*["']?\s*${FOREIGN})`, 'gi');
/** Addresses that run something, that read from the machine, or that renderers take for links by themselves, wherever they stand. */
const ELSEWHERE =
  /\b(?:(?:javascript|vbscript|view-source|mailto|xmpp|sms)(?=:\S)|ftp(?=:\/\/)|file(?=:[/\\])|(?:blob|filesystem|jar)(?=:(?:https?|file|null)[:/])|data(?=:(?:[a-z]+\/[a-z0-9.+-]+[;,]|[;,]))):/gi;

/**
 * Stored text as it may be shown to an assistant: its words as they are, without characters that cannot be seen or that turn
 * the direction of writing, without pictures, elements and links that do anything but lead to http and https. Of visible
 * characters none is taken out, since what is left could make a link anew; a space is put where it ends one: `javascript :…`.
 */
export function inertText(text: string): string {
  return visibleText(text)
    .replace(PICTURE, '! ')
    .replace(LINK, '] ')
    .replace(DEFINITION, '] ')
    .replace(AUTOLINK, '< ')
    .replace(LOADING, '< ')
    .replace(ATTRIBUTE, '< ')
    .replace(HREF, '$1(=)')
    .replace(ELSEWHERE, (scheme) => `${scheme.slice(0, -1)} :`);
}

/** Text without what cannot be seen; lines end in one way. */
export function visibleText(text: string): string {
  return text.toWellFormed().replace(LINE_END, '\n').replace(INVISIBLE, '').replace(CONTROLS, '');
}

/** Stored text on one line, such as a title, of at most so many characters. */
export function inertLine(text: string, length: number): string {
  // What is far behind the end of the line is not looked at.
  const line = inertText(text.slice(0, 20 * length))
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= length ? line : `${line.slice(0, length - 1).toWellFormed()}…`;
}

/** An http or https address in its encoded form, which holds neither spaces nor letters of other scripts; empty for any other. */
export function webAddress(url: string | null): string {
  if (url === null || !URL.canParse(url)) return '';
  const { protocol, href } = new URL(url);
  return protocol === 'https:' || protocol === 'http:' ? href : '';
}
