/** Elements of a text that are shown. */
export const keptElements = [
  ...['a', 'abbr', 'b', 'blockquote', 'br', 'caption', 'cite', 'code', 'dd', 'del', 'details', 'dfn', 'dl', 'dt', 'em'],
  ...['figcaption', 'figure', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'i', 'img', 'ins', 'kbd', 'li', 'mark', 'ol', 'p'],
  ...['pre', 'q', 's', 'samp', 'small', 'strong', 'sub', 'summary', 'sup', 'table', 'tbody', 'td', 'tfoot', 'th'],
  ...['thead', 'tr', 'u', 'ul', 'var'],
];
/** Elements that only hold others, which are shown without them. */
const TRANSPARENT = ['article', 'center', 'div', 'font', 'picture', 'section', 'source', 'span'];

/** Attributes of elements that are kept. */
export const keptAttributes = ['href', 'src', 'alt', 'start', 'align', 'colspan', 'rowspan', 'open'];

const KNOWN_ELEMENTS = new Set([...keptElements, ...TRANSPARENT, 'h1']);
const ATTRIBUTE = /\s([a-z]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?/gi;
/** A comment, a tag, or else a sign that begins neither. Its parts are short, so that the search takes linear time. */
const TAG = /<!--[\s\S]{0,5000}?-->|<\/?([a-z][a-z0-9-]*)(?:"[^"]{0,1000}"|'[^']{0,1000}'|[^<>"']){0,1000}>|</gi;

/**
 * HTML within Markdown, still to be sanitised: the tags of harmless elements stay, comments disappear, and everything
 * else is shown as it was written, so that nothing is lost of a text about HTML, or of one that only looks like it.
 *
 * @example
 * keepHtml('<kbd>Ctrl</kbd> <script>'); // '<kbd>Ctrl</kbd> &lt;script&gt;'
 */
export function keepHtml(html: string): string {
  let shown = '';
  let at = 0;
  for (const match of html.matchAll(TAG)) {
    const [tag, name] = match;
    shown += escapeHtml(html.slice(at, match.index), /[>"]/g);
    if (name !== undefined && KNOWN_ELEMENTS.has(name.toLowerCase())) shown += keepTag(tag, name.toLowerCase());
    else if (!tag.startsWith('<!--')) shown += escapeHtml(tag);
    at = match.index + tag.length;
  }
  return shown + escapeHtml(html.slice(at), /[>"]/g);
}

/** Event handlers and styles are not shown, and the browser would report each of them. */
function keepTag(tag: string, name: string): string {
  // The title of the memory is the only heading of level 1.
  const shown = name === 'h1' ? 'h2' : name;
  if (tag.startsWith('</')) return `</${shown}>`;
  const attributes = [...tag.matchAll(ATTRIBUTE)].filter(([, key = '']) => keptAttributes.includes(key.toLowerCase()));
  return `<${shown}${attributes.map(([attribute]) => attribute).join('')}>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes the special characters of HTML. */
export function escapeHtml(text: string, characters: RegExp = /[&<>"]/g): string {
  return text.replace(characters, (character) => ENTITIES[character] ?? character);
}
