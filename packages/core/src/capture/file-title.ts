import { limits } from '@recollect/contract/limits';

/** Characters of a heading that may be markup. */
const MARKUP = 1_000;
/** Characters that are searched for a title. */
const HEAD = 64 * 1024;
const FENCED = /^(```|~~~).*?^\1/gms;
/** A heading of level 1: with a hash, underlined, or as an element. */
const TITLE = /^#[ \t]+(\S.*)$|^(\S.*)\r?\n=+[ \t]*$|<h1\b[^<>]{0,1000}>([\s\S]{0,1000}?)<\/h1>/m;

/** The title of a Markdown text: its first heading of level 1. Null if it has none: other headings name sections, such as the lists of a board. */
export function headingOf(text: string): string | null {
  const prose = text.slice(0, HEAD).replace(FENCED, '').trimStart();
  const [, ...found] = TITLE.exec(prose) ?? [];
  const heading = found.find((one) => one !== undefined) ?? '';
  return plainTitle(heading.slice(0, limits.capture.titleLength + MARKUP)) || null;
}

/** A heading without pictures, addresses, elements and emphasis. */
function plainTitle(heading: string): string {
  return heading
    .replace(/(?<![ \t])[ \t]+#+[ \t]*$/, '')
    .replace(/!\[[^[\]]*\](?:\([^()]*(?:\([^()]*\)[^()]*)?\)|\[[^[\]]*\])/g, '')
    .replace(/\[([^[\]]*)\](?:\([^()]*(?:\([^()]*\)[^()]*)?\)|\[[^[\]]*\])/g, '$1')
    .replace(/<[^<>]*>/g, '')
    .replace(/&nbsp;/g, ' ')
    .replace(/&amp;/g, '&')
    .replace(/(\*{1,3}|(?<!\p{L})_{1,3}(?=\p{L}))(.{1,300}?)\1(?!\p{L})/gu, '$2')
    .replace(/`([^`]+)`/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}
