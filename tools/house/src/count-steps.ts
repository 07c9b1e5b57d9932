import type { AST } from '@eslint-community/regexpp';

/** Continues a match at a position; whether the rest matched. */
type Next = (at: number) => boolean;
/** Matches a part of an expression at a position, and then the rest. */
type Matcher = (at: number, next: Next) => boolean;

/** Counts the characters that a backtracking engine, such as V8's, compares to search a text for an expression. */
export interface StepCounter {
  /** Returns the number of steps, or `limit` if it takes more. */
  count(text: string, limit: number): number;
}

const FORWARD = 1;
const BACKWARD = -1;
type Direction = typeof FORWARD | typeof BACKWARD;

class TooManySteps extends Error {}

export function createStepCounter(pattern: AST.Pattern, flags: AST.Flags): StepCounter {
  let text: readonly string[] = [];
  let steps = 0;
  let limit = 0;
  /** Where each group has matched. */
  const groups: (readonly [start: number, end: number] | undefined)[] = [];
  const readsPoints = flags.unicode || flags.unicodeSets;
  const match = alternatives(pattern.alternatives, FORWARD);

  return {
    count(given, most) {
      text = readsPoints ? [...given] : given.split('');
      [steps, limit] = [0, most];
      try {
        search();
      } catch (error) {
        if (error instanceof TooManySteps || error instanceof RangeError) return limit;
        throw error;
      }
      return steps;
    },
  };

  function search(): void {
    for (let at = 0; at <= text.length; ) {
      let end = -1;
      groups.length = 0;
      const isFound = match(at, (place) => {
        end = place;
        return true;
      });
      step();
      if (flags.sticky || (isFound && !flags.global)) return;
      at = isFound && end > at ? end : at + 1;
    }
  }

  function step(): void {
    steps += 1;
    if (steps >= limit) throw new TooManySteps();
  }

  function alternatives(all: readonly AST.Alternative[], direction: Direction): Matcher {
    const matchers = all.map(({ elements }) => sequence(elements, direction));
    const [only] = matchers;
    if (matchers.length === 1 && only !== undefined) return only;
    return (at, next) => matchers.some((matcher) => matcher(at, next));
  }

  function sequence(elements: readonly AST.Element[], direction: Direction): Matcher {
    const parts = elements.map((element) => compile(element, direction));
    if (direction === BACKWARD) parts.reverse();
    return (start, next) => {
      const run = (index: number, at: number): boolean => {
        const part = parts[index];
        return part === undefined ? next(at) : part(at, (place) => run(index + 1, place));
      };
      return run(0, start);
    };
  }

  function compile(element: AST.Element, direction: Direction): Matcher {
    switch (element.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass': {
        const consume = one(element, direction);
        return (at, next) => {
          const place = consume(at);
          return place !== null && next(place);
        };
      }
      case 'Group':
        return alternatives(element.alternatives, direction);
      case 'CapturingGroup':
        return capture(element, direction);
      case 'Quantifier':
        return quantifier(element, direction);
      case 'Backreference':
        return backreference(element, direction);
      case 'Assertion':
        return assertion(element);
    }
  }

  /** Matches one character. Returns the place behind it, or null. */
  function one(element: AST.Element, direction: Direction): (at: number) => number | null {
    const tests = new RegExp(`^${element.raw}$`, flags.raw.replace(/[gmyd]/g, ''));
    const known = new Map<string, boolean>();
    return (at) => {
      step();
      const character = text[direction === FORWARD ? at : at - 1];
      if (character === undefined) return null;
      let isIn = known.get(character);
      if (isIn === undefined) {
        isIn = tests.test(character);
        known.set(character, isIn);
      }
      return isIn ? at + direction : null;
    };
  }

  function capture(group: AST.CapturingGroup, direction: Direction): Matcher {
    const inner = alternatives(group.alternatives, direction);
    const number = groupsOf(pattern).indexOf(group) + 1;
    return (at, next) =>
      inner(at, (place) => {
        const before = groups[number];
        groups[number] = [Math.min(at, place), Math.max(at, place)];
        if (next(place)) return true;
        groups[number] = before;
        return false;
      });
  }

  function quantifier({ element, min, max, greedy }: AST.Quantifier, direction: Direction): Matcher {
    if (/^(?:Character|CharacterSet|CharacterClass)$/.test(element.type))
      return repeatOne(one(element, direction), { min, max, greedy, direction });
    const inner = compile(element, direction);
    return (start, next) => {
      const run = (at: number, times: number): boolean => {
        const more = () =>
          times < max && inner(at, (place) => (place === at && times >= min ? false : run(place, times + 1)));
        if (times < min) return more();
        return greedy ? more() || next(at) : next(at) || more();
      };
      return run(start, 0);
    };
  }

  /** Repeats one character without a call for each of them: long texts would need too much stack. */
  function repeatOne(
    consume: (at: number) => number | null,
    { min, max, greedy, direction }: { min: number; max: number; greedy: boolean; direction: Direction },
  ): Matcher {
    return (start, next) => {
      let [at, times] = [start, 0];
      const take = () => {
        const place = times < max ? consume(at) : null;
        if (place === null) return false;
        [at, times] = [place, times + 1];
        return true;
      };
      while (times < min) if (!take()) return false;
      if (!greedy) {
        do if (next(at)) return true;
        while (take());
        return false;
      }
      while (take());
      for (; times >= min; times--, at -= direction) if (next(at)) return true;
      return false;
    };
  }

  function backreference({ resolved }: AST.Backreference, direction: Direction): Matcher {
    const first = Array.isArray(resolved) ? resolved[0] : resolved;
    const number = groupsOf(pattern).indexOf(first as AST.CapturingGroup) + 1;
    return (at, next) => {
      const [from, to] = groups[number] ?? [0, 0];
      const start = direction === FORWARD ? at : at - (to - from);
      for (let place = 0; place < to - from; place++) {
        step();
        if (text[from + place] !== text[start + place]) return false;
      }
      return next(at + direction * (to - from));
    };
  }

  function assertion(element: AST.Assertion): Matcher {
    if (element.kind === 'lookahead' || element.kind === 'lookbehind') {
      const inner = alternatives(element.alternatives, element.kind === 'lookahead' ? FORWARD : BACKWARD);
      return (at, next) => inner(at, () => true) !== element.negate && next(at);
    }
    const isEnd = (at: number) => at === text.length || (flags.multiline && LINE_END.test(text[at] ?? ''));
    const isStart = (at: number) => at === 0 || (flags.multiline && LINE_END.test(text[at - 1] ?? ''));
    const isWord = (at: number) => /^\w$/.test(text[at] ?? '');
    return (at, next) => {
      if (element.kind === 'start') return isStart(at) && next(at);
      if (element.kind === 'end') return isEnd(at) && next(at);
      return (isWord(at) !== isWord(at - 1)) !== (element.kind === 'word' && element.negate) && next(at);
    };
  }
}

const LINE_END = /^[\n\r\u2028\u2029]$/;

const known = new WeakMap<AST.Pattern, AST.CapturingGroup[]>();

/** The capturing groups of a pattern in the order of their numbers. */
function groupsOf(pattern: AST.Pattern): AST.CapturingGroup[] {
  const groups = known.get(pattern) ?? [];
  if (!known.has(pattern)) {
    known.set(pattern, groups);
    const collect = (node: unknown): void => {
      if (Array.isArray(node)) for (const part of node) collect(part);
      else if (typeof node === 'object' && node !== null) {
        const { type, alternatives, elements, element } = node as Record<string, unknown>;
        if (type === 'CapturingGroup') groups.push(node as AST.CapturingGroup);
        collect([alternatives, elements, element].filter((part) => part !== undefined));
      }
    };
    collect(pattern);
  }
  return groups;
}
