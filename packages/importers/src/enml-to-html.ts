import { Parser } from 'htmlparser2';

/** Elements that are also void in HTML. */
const VOID = new Set(['br', 'hr', 'img', 'input', 'col', 'wbr']);
/** Browsers nest no deeper, and converters call themselves for each level. */
const MAX_DEPTH = 512;

/** How an element was written, which decides how it ends. */
interface Open {
  kind: 'code' | 'hidden' | 'other';
  end: string;
}

/**
 * Converts ENML, the markup of Evernote's notes, to HTML: tasks become boxes, and encrypted parts and attachments are
 * named or left out. Null if its elements are nested more than 512 levels deep.
 */
export function enmlToHtml(enml: string): string | null {
  const parts: string[] = [];
  const open: Open[] = [];
  /** A `div` that becomes the item of a task list if a box follows; null if there is none. */
  let undecided: { tag: string; space: string } | null = null;
  /** How many elements around the present place are code blocks or encrypted. */
  const inside = { code: 0, hidden: 0 };
  /** Line breaks of code that are written once something follows in their line. */
  let breaks = 0;
  let isCdata = false;

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (open.length === MAX_DEPTH) throw new RangeError('Elements are nested too deep.');
        open.push(begin(name, attributes));
      },
      onclosetag() {
        const closed = open.pop();
        if (closed !== undefined) end(closed);
      },
      ontext(text) {
        if (inside.hidden === 0) write(isCdata ? text.replaceAll('&', '&amp;') : text);
      },
      oncdatastart() {
        isCdata = true;
      },
      oncdataend() {
        isCdata = false;
      },
    },
    // Character references are HTML's, and do not change.
    { xmlMode: true, decodeEntities: false, lowerCaseTags: true },
  );
  try {
    parser.end(enml);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
  return parts.join('');

  function begin(name: string, attributes: Readonly<Record<string, string>>): Open {
    const { style = '' } = attributes;
    if (inside.hidden > 0 || name === 'en-media') return { kind: 'other', end: '' };
    if (name === 'en-todo' && undecided !== null) {
      undecided = null;
      const around = open.at(-1);
      if (around !== undefined) around.end = '</li></ul>';
      parts.push('<ul><li>', boxOf(attributes.checked === 'true'));
      return { kind: 'other', end: '' };
    }
    decide();
    if (name === 'en-crypt') {
      inside.hidden += 1;
      parts.push('[encrypted]');
      return { kind: 'hidden', end: '' };
    }
    if (name === 'en-todo') {
      parts.push(boxOf(attributes.checked === 'true'));
      return { kind: 'other', end: '' };
    }
    if (inside.code > 0) return beginInCode(name, attributes);
    if (name === 'div' && CODE.some((property) => propertyOf(style, property) === 'true')) {
      inside.code += 1;
      breaks = 0;
      parts.push('<pre>');
      return { kind: 'code', end: '</pre>' };
    }
    const shown = name === 'en-note' ? 'div' : name;
    if (shown === 'div') {
      undecided = { tag: tagOf(shown, attributes), space: '' };
      return { kind: 'other', end: '</div>' };
    }
    parts.push(tagOf(shown, attributes));
    const checked = name === 'li' ? propertyOf(style, '--en-checked') : undefined;
    if (checked !== undefined) parts.push(boxOf(checked === 'true'));
    return { kind: 'other', end: VOID.has(shown) ? '' : `</${shown}>` };
  }

  /** In a code block, each line is an element. */
  function beginInCode(name: string, attributes: Readonly<Record<string, string>>): Open {
    if (name === 'div') return { kind: 'other', end: '\n' };
    if (name === 'br') {
      breaks += 1;
      return { kind: 'other', end: '' };
    }
    writeBreaks();
    parts.push(tagOf(name, attributes));
    return { kind: 'other', end: VOID.has(name) ? '' : `</${name}>` };
  }

  function end({ kind, end: text }: Open): void {
    if (kind === 'hidden') inside.hidden -= 1;
    if (kind === 'code') inside.code -= 1;
    if (inside.hidden > 0) return;
    if (text !== '') decide();
    if (text === '\n') {
      // An empty line is an element with a break.
      parts.push('\n'.repeat(Math.max(1, breaks)));
      breaks = 0;
    } else parts.push(text);
  }

  function write(text: string): void {
    const isBlank = text.trim() === '';
    if (undecided !== null && isBlank) {
      undecided.space += text;
      return;
    }
    decide();
    // Between the lines of a code block.
    if (isBlank && open.at(-1)?.kind === 'code') return;
    writeBreaks();
    parts.push(text.replaceAll('<', '&lt;'));
  }

  function writeBreaks(): void {
    if (inside.code > 0) parts.push('\n'.repeat(breaks));
    breaks = 0;
  }

  function decide(): void {
    if (undecided !== null) parts.push(undecided.tag, undecided.space);
    undecided = null;
  }
}

/** Marks of code blocks. The property had one hyphen in older versions of Evernote. */
const CODE = ['--en-codeblock', '-en-codeblock'];

/** The value of a property in a style; undefined if the style does not have it. */
function propertyOf(style: string, property: string): string | undefined {
  const rule = style.split(';').find((part) => part.slice(0, part.indexOf(':')).trim() === property);
  return rule?.slice(rule.indexOf(':') + 1).trim();
}

function boxOf(isDone: boolean): string {
  return `<input type="checkbox"${isDone ? ' checked' : ''}>`;
}

function tagOf(name: string, attributes: Readonly<Record<string, string>>): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${value.replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"`,
  );
  return `<${name}${written.join('')}>`;
}
