import { type Contents, isSentence } from './contents.js';
import type { Description } from './description.js';
import type { Block } from './find-blocks.js';

/** How many siblings of one kind make a row of cards or posts. */
const FEWEST_SIBLINGS = 3;

/** The rows of siblings of one kind on a page, such as cards or posts. */
export class Repetitions {
  readonly #known = new Map<Element, Map<string, Description | null>>();
  readonly #contents: ReadonlyMap<Element, Contents>;
  readonly #kinds: Kinds;

  constructor(contents: ReadonlyMap<Element, Contents>, kinds: Kinds) {
    this.#contents = contents;
    this.#kinds = kinds;
  }

  /** Describes the row of the nearest element around a block that is in a row and also has other blocks. */
  describe(path: readonly Element[]): Description {
    for (const element of path) {
      if ((this.#contents.get(element)?.blocks ?? 0) < 2 || element.parentElement === null) continue;
      const row = this.#rowsOf(element.parentElement).get(this.#kinds.of(element)) ?? null;
      if (row !== null) return row;
    }
    return { repeated: 0, repeatedWords: 0, repeatedLinks: 0, repeatedSentences: 0 };
  }

  #rowsOf(parent: Element): Map<string, Description | null> {
    let rows = this.#known.get(parent);
    if (rows === undefined) {
      const parts = [...parent.children].flatMap((child) => this.#contents.get(child) ?? []);
      rows = new Map(
        [...Map.groupBy(parts, ({ element }) => this.#kinds.of(element))].map(([kind, row]) => [
          kind,
          describeRow(row),
        ]),
      );
      this.#known.set(parent, rows);
    }
    return rows;
  }
}

function describeRow(row: readonly Contents[]): Description | null {
  if (row.length < FEWEST_SIBLINGS) return null;
  const words = sum(row, (part) => part.size);
  return {
    repeated: row.length,
    repeatedWords: words / row.length,
    repeatedLinks: sum(row, (part) => part.linkSize) / words,
    repeatedSentences: sum(row, (part) => part.sentenceSize) / words,
  };
}

/** Describes the blocks whose elements are of one kind, wherever they are on the page. */
export function describeAlike(blocks: readonly Block[], kinds: Kinds): Map<string, Description> {
  const groups = Map.groupBy(blocks, ({ element }) => kinds.of(element));
  return new Map(
    [...groups].map(([kind, group]) => {
      const words = sum(group, (block) => block.size);
      return [
        kind,
        {
          alike: group.length,
          alikeWords: words,
          alikeMean: words / group.length,
          alikeLinks: sum(group, ({ linkSize }) => linkSize) / words,
          alikeSentences: group.filter(isSentence).length / group.length,
        },
      ];
    }),
  );
}

/** The kinds of elements: the tags and classes of an element and of the one around it. */
export class Kinds {
  readonly #known = new Map<Element, string>();

  of(element: Element): string {
    let kind = this.#known.get(element);
    if (kind === undefined) {
      const parent = element.parentElement;
      kind = `${parent === null ? '' : nameAndClass(parent)}>${nameAndClass(element)}`;
      this.#known.set(element, kind);
    }
    return kind;
  }
}

function nameAndClass(element: Element): string {
  return `${element.nodeName}.${(element.getAttribute('class') ?? '').replace(/\d+/g, '0')}`;
}

function sum<Value>(values: readonly Value[], size: (value: Value) => number): number {
  return values.reduce((total, value) => total + size(value), 0);
}
