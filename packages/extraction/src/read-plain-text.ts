import { Tokenizer } from 'htmlparser2';

/** Elements whose content is not text. Only their own closing tag ends them. */
const SKIPPED = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'svg',
  'math',
  'select',
  'textarea',
  'button',
  'iframe',
  'object',
]);
/** Elements within a line. Any other begins a new one. */
const INLINE = new Set(
  'a abbr b bdi bdo cite code data del dfn em font i img ins kbd label mark q rp rt ruby s samp small span strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);

/**
 * The title and the text of a page, one paragraph a block, in linear time and without a tree, however deep its elements
 * are nested.
 */
export function readPlainText(html: string): { title: string; text: string } {
  const parts: string[] = [];
  const title: string[] = [];
  let name = '';
  let isClosed = false;
  /** The element that is skipped, and how many of its kind are open. */
  let skipped = { name: '', depth: 0 };
  let isTitle = false;
  const write = (text: string) => {
    if (isTitle) title.push(text);
    else if (skipped.depth === 0) parts.push(text);
  };
  const open = () => {
    if (skipped.depth > 0) {
      if (name === skipped.name && !isClosed) skipped.depth += 1;
    } else if (SKIPPED.has(name) && !isClosed) skipped = { name, depth: 1 };
    else if (name === 'title') isTitle = title.length === 0;
    else if (!INLINE.has(name)) parts.push('\n\n');
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(start, end) {
        name = html.slice(start, end).toLowerCase();
        isClosed = false;
      },
      onopentagend: open,
      onselfclosingtag() {
        // Only elements of SVG and MathML can close themselves.
        isClosed = name === skipped.name;
        open();
      },
      onclosetag(start, end) {
        const closed = html.slice(start, end).toLowerCase();
        if (skipped.depth > 0) {
          if (closed === skipped.name) skipped.depth -= 1;
        } else if (closed === 'title') isTitle = false;
        else if (!INLINE.has(closed)) parts.push('\n\n');
      },
      ontext: (start, end) => write(html.slice(start, end)),
      ontextentity: (codePoint) => write(String.fromCodePoint(codePoint)),
      onattribdata() {},
      onattribentity() {},
      onattribend() {},
      onattribname() {},
      oncdata() {},
      oncomment() {},
      ondeclaration() {},
      onprocessinginstruction() {},
      onend() {},
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  const lines = parts
    .join('')
    .split('\n\n')
    .map((line) => line.replace(/\s+/g, ' ').trim());
  return { title: title.join('').replace(/\s+/g, ' ').trim(), text: lines.filter((line) => line !== '').join('\n\n') };
}
