// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/**
 * What is not seen: characters that programs may ignore (zero width, direction, variation, tags), annotations, and the
 * signs that join hieroglyphs. Instructions that no reader sees are hidden in them.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u{fff9}-\u{fffb}\u{13430}-\u{1345f}]/gu;
const LINE_END = /\r\n?|[\u0085\u2028\u2029]/g;

/** The exclamation mark that makes a link of Markdown a picture, which is loaded as soon as it is shown. */
const PICTURE = /!(?=\[(?:[^[\]\n]|\[[^[\]\n]*\])*\][([])/g;
/** The target of a link of Markdown, in brackets behind its label. */
const TARGET = /\]\(\s{0,3}<?([^()\s<>]*(?:\([^()\s<>]*\)[^()\s<>]*)*)>?(?:\s{1,3}(?:"[^"\n]*"|'[^'\n]*'))?\s{0,3}\)/g;
/** `[name]: target` at the beginning of a line, by which links and pictures elsewhere are resolved. */
const DEFINITION = /^([ \t]{0,3}\[[^\]\n]+\]):[ \t]*<?([^\s<>]+)>?/gm;
const AUTOLINK = /<([a-z][a-z0-9+.-]{1,31}):([^\s<>]*)>/gi;
const TAG = /<[a-z][^<>]{0,4000}>/gi;
const ATTRIBUTE =
  /(\s(?:href|xlink:href|src|srcset|action|formaction|poster|data|background)\s*=\s*)("[^"]*"|'[^']*'|[^\s>"']+)/gi;
/** Schemes that run something, or read from the machine, wherever they stand. */
const RUNNING =
  /\b(?:(?:javascript|vbscript|livescript|file|blob|filesystem|view-source|jar):(?=\S)|data:(?=[a-z]+\/[a-z0-9.+-]+[;,]|[;,]))/gi;

/**
 * Stored text as it may be shown to an assistant: its words as they are, without characters that cannot be seen or that turn
 * the direction of writing, without pictures that would be loaded, and with no link but to http and https. Of a link to
 * anything else its label is kept; a scheme that could run something loses its colon: `javascript[:]…`.
 */
export function inertText(text: string): string {
  return visibleText(text)
    .replace(PICTURE, '')
    .replace(TARGET, (whole: string, target: string) => (leadsToTheWeb(target) ? whole : ']'))
    .replace(DEFINITION, (whole: string, name: string, target: string) => {
      if (isAbsolute(target)) return `${name} ${target}`;
      return leadsToTheWeb(target) ? whole : name;
    })
    .replace(AUTOLINK, (whole: string, scheme: string, rest: string) =>
      /^https?$/i.test(scheme) ? whole : `${scheme}[:]${rest}`,
    )
    .replace(TAG, (tag: string) =>
      tag.replace(ATTRIBUTE, (whole: string, name: string, value: string) =>
        /href/i.test(name) && leadsToTheWeb(value.replace(/^["']|["']$/g, '')) ? whole : `${name}""`,
      ),
    )
    .replace(RUNNING, (scheme: string) => `${scheme.slice(0, -1)}[:]`);
}

/** Text without what cannot be seen; lines end in one way. */
export function visibleText(text: string): string {
  return text.toWellFormed().replace(LINE_END, '\n').replace(INVISIBLE, '').replace(CONTROLS, '');
}

/** Stored text on one line, such as a title, of at most so many characters. */
export function inertLine(text: string, length: number): string {
  const line = inertText(text).replace(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${line.slice(0, length - 1).toWellFormed()}…`;
}

/** An http or https address in its encoded form, which holds neither spaces nor letters of other scripts; empty for any other. */
export function webAddress(url: string | null): string {
  if (url === null || !URL.canParse(url)) return '';
  const { protocol, href } = new URL(url);
  return protocol === 'https:' || protocol === 'http:' ? href : '';
}

/** Whether a target has no scheme or that of the web. Character references may spell one, so none are taken before the path. */
function leadsToTheWeb(target: string): boolean {
  if (isAbsolute(target)) return true;
  const first = target.search(/[:&%\\/?#]/);
  return first < 0 || first === target.length - 1 || /[/?#]/.test(target.charAt(first));
}

function isAbsolute(target: string): boolean {
  return /^\s*https?:\/\//i.test(target);
}
