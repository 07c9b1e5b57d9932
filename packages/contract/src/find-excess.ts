import { endOfString } from './end-of-string.js';
import { limits } from './limits.js';

const { depth: MOST_LEVELS, keys: MOST_KEYS } = limits.body;
const MOST_VALUES = limits.transfer.values;

/**
 * Finds a line of JSON with too many keys, values or levels. Returns the end of a sentence, or null. Does not parse the
 * line, because parsing and checking it would take seconds. Outside strings, each key has a colon, and a comma
 * separates two values.
 */
export function findExcess(line: string): string | null {
  let levels = 0;
  let keys = 0;
  let values = 1;
  for (let at = 0; at < line.length; at++) {
    const character = line[at];
    if (character === '"') at = endOfString(line, at);
    else if (character === '{' || character === '[') {
      levels += 1;
      if (levels > MOST_LEVELS) return `is nested deeper than ${MOST_LEVELS} levels`;
    } else if (character === '}' || character === ']') levels -= 1;
    else if (character === ':') {
      keys += 1;
      if (keys > MOST_KEYS) return `has more than ${MOST_KEYS} keys`;
    } else if (character === ',') {
      values += 1;
      if (values > MOST_VALUES) return `has more than ${MOST_VALUES} values`;
    }
  }
  return null;
}
