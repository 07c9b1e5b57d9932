/** Stands where an element and a text are one word. No page uses this private character for text. */
const JOINT = '\ue002';
const JOINTS = /[ \u00a0]*\ue002[ \u00a0]*/g;

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
 * Marks where an element begins or ends within a word, or beside a quotation mark, as in "<a>lamp</a>s": Defuddle puts a space there,
 * which {@link withoutJoints} takes out again with the mark. Where a capital or a digit follows a letter, the style sheet has
 * probably set two words apart.
 */
export function markJoints(root: ParentNode): void {
  for (const element of root.querySelectorAll(INLINE)) {
    const own = element.textContent ?? '';
    const { previousSibling: before, nextSibling: after } = element;
    if (after?.nodeType === TEXT && isJoint(own, after.textContent ?? ''))
      after.textContent = JOINT + after.textContent;
    if (before?.nodeType === TEXT && isJoint(before.textContent ?? '', own)) before.textContent += JOINT;
  }
}

/** A text or HTML as it is without the marks, and without the spaces at them. */
export function withoutJoints(text: string): string {
  return text.replace(JOINTS, '');
}

function isJoint(left: string, right: string): boolean {
  if (!/\S$/.test(left) || !/^\S/.test(right)) return false;
  return !(/[\p{L}\p{N}]$/u.test(left) && /^[\p{Lu}\p{N}]/u.test(right));
}
