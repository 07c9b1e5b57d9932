import { endOfString, limits } from '@recollect/contract';

/** The body is not acceptable JSON. The message says why and never quotes the body. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
}

/**
 * Parses strict JSON (SEC-11): valid UTF-8, at most 32 levels, no duplicate keys, no `__proto__`, no lone surrogates,
 * no number that cannot be kept exactly. JSON.parse alone would keep the last of two equal keys and change such numbers
 * silently. Throws {@link JsonError}.
 */
export function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new JsonError('The body is not valid UTF-8.');
  }
  checkStructure(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new JsonError('The body is not valid JSON.');
  }
  checkValues(value);
  return value;
}

/** Checks depth and duplicate keys from the brackets and strings of a text; JSON.parse checks the rest. */
function checkStructure(text: string): void {
  /** The keys of each open object; null for an array. */
  const open: (Set<string> | null)[] = [];
  let keysLeft: number = limits.body.keys;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{' || character === '[') {
      if (open.length === limits.body.depth) {
        throw new JsonError(`The body is nested deeper than ${limits.body.depth} levels.`);
      }
      open.push(character === '{' ? new Set() : null);
    } else if (character === '}' || character === ']') {
      open.pop();
    } else if (character === '"') {
      const end = endOfString(text, at);
      const keys = open.at(-1);
      if (keys && isKey(text, end)) {
        keysLeft -= 1;
        // Each costs far more time than its bytes.
        if (keysLeft < 0) throw new JsonError(`The body has more than ${limits.body.keys} keys.`);
        addKey(keys, text.slice(at, end + 1));
      }
      at = end;
    }
  }
}

function addKey(keys: Set<string>, literal: string): void {
  let key = literal.slice(1, -1);
  if (key.includes('\\')) {
    try {
      key = JSON.parse(literal);
    } catch {
      throw new JsonError('The body is not valid JSON.');
    }
  }
  if (key === '__proto__') throw new JsonError('The body contains the key __proto__, which is not allowed.');
  if (keys.has(key)) throw new JsonError('The body contains the same key twice in one object.');
  keys.add(key);
}

function isKey(text: string, end: number): boolean {
  let at = end + 1;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++;
  return text[at] === ':';
}

/** Recursion is safe here, because the depth has been checked. */
function checkValues(value: unknown): void {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new JsonError('A string in the body contains a lone surrogate.');
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
      throw new JsonError('The body contains a number that is too large to be kept exactly. Send it as a string.');
    }
  } else if (Array.isArray(value)) {
    value.forEach(checkValues);
  } else if (value !== null && typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) {
      checkValues(key);
      checkValues(item);
    }
  }
}
