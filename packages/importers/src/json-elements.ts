/** JSON that ends too early, or is otherwise damaged. */
export class DamagedJsonError extends Error {
  override readonly name = 'DamagedJsonError';
}

const [QUOTE, COMMA, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [...'",\\[]{}'].map((char) =>
  char.charCodeAt(0),
);

/**
 * Parses the elements of a JSON list one at a time, so that an export of hundreds of megabytes never is in memory as
 * objects. Takes linear time. Throws {@link DamagedJsonError} where the list is damaged.
 *
 * @param start the position of its bracket
 * @example
 * [...elementsOf('[1, {"a": [2]}]', 0)]; // [1, { a: [2] }]
 */
export function* elementsOf(text: string, start: number): Generator<unknown> {
  let at = skipSpace(text, start + 1);
  if (text.charCodeAt(at) === CLOSE_LIST) return;
  for (;;) {
    const end = endOfValue(text, at);
    yield parse(text.slice(at, end));
    const next = text.charCodeAt(skipSpace(text, end));
    if (next === CLOSE_LIST) return;
    if (next !== COMMA) throw new DamagedJsonError('the list ends too early, or is damaged');
    at = skipSpace(text, skipSpace(text, end) + 1);
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new DamagedJsonError('an element of the list is not valid JSON');
  }
}

/** The end of the value that begins at a position: the comma or bracket that follows it. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        depth += 1;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        if (depth === 0) return at;
        depth -= 1;
        break;
      case COMMA:
        if (depth === 0) return at;
    }
  }
  throw new DamagedJsonError('the list ends too early');
}

/** The quotation mark that ends a string. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = text.indexOf('"', at);
    if (at < 0) throw new DamagedJsonError('the list ends within a string');
    let before = at;
    while (text.charCodeAt(before - 1) === BACKSLASH && before - 1 > start) before -= 1;
    if ((at - before) % 2 === 0) return at;
  }
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (/\s/.test(text[at] ?? '')) at += 1;
  return at;
}
