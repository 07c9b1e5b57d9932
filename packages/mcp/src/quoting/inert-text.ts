import { clipText, parseUrl } from '@recollect/contract/text';

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches them on purpose.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/**
 * Invisible characters: characters that programs may ignore (zero width, direction, variation, tags), characters
 * without a meaning, annotations, and hieroglyph joiners. They can hide instructions that no reader sees.
 */
const INVISIBLE =
  /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Co}\p{Noncharacter_Code_Point}\u{2800}\u{fff9}-\u{fffc}\u{13430}-\u{1345f}]/gu;
const LINE_END = /\r\n?|[\u0085\u2028\u2029]/g;

/** The start of a URL with a scheme other than http or https, even if its colon or letters are character references. */
const FOREIGN_URL = String.raw`(?!https?:\/\/)[a-z&\\](?:[^\s()\[\]<>/?#:]|(?<=&)#){0,100}?(?::(?!:)|&(?:colon|#0*58|#x0*3a);?)`;
/** A picture in Markdown, which is loaded as soon as it is shown. */
const PICTURE = /!(?=\[)/g;
/** A link in Markdown, between label and target. */
const LINK = new RegExp(String.raw`\](?=\(\s*(?:<\s*)?${FOREIGN_URL})`, 'gi');
/** The definition of a link in Markdown, for use elsewhere. */
const DEFINITION = new RegExp(String.raw`\](?=:\s*(?:<\s*)?${FOREIGN_URL})`, 'gi');
/** A URL in angle brackets; XML elements with a prefix look the same. */
const AUTOLINK = /<(?=(?!https?:)[a-z][a-z0-9+.-]{1,31}:(?!:)[^\s<>]*>)/gi;
/** HTML elements that load, run or send something. */
const ACTIVE_ELEMENT =
  /<(?=\/?(?:applet|audio|base|embed|form|frame|frameset|iframe|image|img|input|link|math|meta|object|portal|script|source|style|svg|template|track|video)\b)/gi;
/** HTML elements with an attribute that does so. */
const ACTIVE_ATTRIBUTE =
  /<(?=[a-z][^<]*?[\s"'/](?:src|srcset|style|background|poster|action|formaction|ping|on[a-z]{3,20})\s*=)/gi;
/** The href attribute of a link, before a URL with a scheme other than http or https. */
const HREF = new RegExp(String.raw`(\bhref\s*)=(?=\s*(?:["']\s*)?${FOREIGN_URL})`, 'gi');
/** URLs anywhere in the text that run something, read from the machine, or are turned into links by renderers. */
const UNSAFE_URL =
  /\b(?:(?:javascript|vbscript|view-source|mailto|xmpp|sms)(?=:\S)|ftp(?=:\/\/)|file(?=:[/\\])|(?:blob|filesystem|jar)(?=:(?:https?|file|null)[:/])|data(?=:(?:[a-z]+\/[a-z0-9.+-]+[;,]|[;,]))):/gi;

/**
 * Stored text that is safe to show to an assistant. Its words are unchanged, but it has no characters that are
 * invisible or change the writing direction, no pictures, no active elements, and no links other than to http and
 * https. No visible character is removed, since the rest could form a new link. A space breaks the link instead:
 * `javascript :…`.
 */
export function inertText(text: string): string {
  return visibleText(text)
    .replace(PICTURE, '! ')
    .replace(LINK, '] ')
    .replace(DEFINITION, '] ')
    .replace(AUTOLINK, '< ')
    .replace(ACTIVE_ELEMENT, '< ')
    .replace(ACTIVE_ATTRIBUTE, '< ')
    .replace(HREF, '$1(=)')
    .replace(UNSAFE_URL, (scheme) => `${scheme.slice(0, -1)} :`);
}

/** Text without invisible characters and with uniform line endings. */
export function visibleText(text: string): string {
  return text.toWellFormed().replace(LINE_END, '\n').replace(INVISIBLE, '').replace(CONTROLS, '');
}

/** Stored text on one line, such as a title, of at most `length` characters. */
export function inertLine(text: string, length: number): string {
  // Text far beyond the end of the line is not processed.
  const line = inertText(text.slice(0, 20 * length))
    .replace(/\s+/g, ' ')
    .trim();
  return clipText(line, length);
}

/** An http or https URL in encoded form, which contains only ASCII without spaces; empty for any other. */
export function webAddress(url: string | null): string {
  const parsed = url === null ? null : parseUrl(url);
  if (parsed === null) return '';
  const { protocol, href } = parsed;
  return protocol === 'https:' || protocol === 'http:' ? href : '';
}
