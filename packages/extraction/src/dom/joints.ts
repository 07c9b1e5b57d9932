/**
 * Stands where an element and a text are one word: the last private character, since icon fonts use the first ones, and
 * Chromium loads no script with a character that is reserved for programs.
 */
const JOINT = '\u{10fffd}';
const JOINTS = /(?:(?<![ \u00a0])[ \u00a0]+)?\u{10fffd}[ \u00a0]*/gu;

/** Elements within a line, beside which Defuddle puts a space. */
const INLINE = [
  'a',
  'abbr',
  'b',
  'bdi',
  'cite',
  'em',
  'font',
  'i',
  'ins',
  'mark',
  'q',
  's',
  'small',
  'span',
  'strong',
  'u',
].join();

const TEXT = 3;

/**
 * Marks where an element begins or ends within a word, or beside a quotation mark, as in "<a>lamp</a>s": Defuddle puts
 * a space there, which {@link withoutJoints} takes out again with the mark. Where a capital or a digit follows a
 * letter, the style sheet has probably set two words apart.
 */
export function markJoints(root: ParentNode): void {
  for (const element of root.querySelectorAll(INLINE)) {
    const { previousSibling: before, nextSibling: after } = element;
    const [left, right] = [textOf(before).slice(-END), textOf(after).slice(0, END)];
    // Most elements stand between spaces, and the text of one that surrounds others is long.
    if (!/\S$/.test(left) && !/^\S/.test(right)) continue;
    const own = element.textContent ?? '';
    if (after !== null && isJoint(own.slice(-END), right)) after.textContent = JOINT + textOf(after);
    if (before !== null && isJoint(left, own.slice(0, END))) before.textContent = textOf(before) + JOINT;
  }
}

/** Code units of one character. */
const END = 2;

function textOf(node: Node | null): string {
  return node?.nodeType === TEXT ? (node.textContent ?? '') : '';
}

/** Removes the marks from a text or from HTML, with the spaces around them. */
export function withoutJoints(text: string): string {
  return text.replace(JOINTS, '');
}

function isJoint(left: string, right: string): boolean {
  if (!/\S$/.test(left) || !/^\S/.test(right)) return false;
  return !(/[\p{L}\p{N}]$/u.test(left) && /^[\p{Lu}\p{N}]/u.test(right));
}
