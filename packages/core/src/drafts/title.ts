import type { NewMemory } from '../memory.js';
import type { MemoryStore } from '../ports/index.js';

/** Titles of other pages with the same name of the site that tell it is one. */
const MIN_TITLES_WITH_SITE_NAME = 2;
/** Titles of a site that are compared: its oldest, which kept its name, and its newest. */
const MAX_COMPARED_TITLES = 100;
/** Separator between the title of a page and the name of its site. */
const SEPARATOR = /\s[|·•–—:»«-]+\s/g;
/** The name of a manual behind a title, as GNU's have it. */
const IN_PARENTHESES = /\s\([^()]+\)$/;

/**
 * Shortens the titles that pages state by the name of their site, if several titles of the site have it.
 *
 * @param isStated whether the title of each draft is stated by its page, and not chosen by a client
 */
export async function shortenTitles(
  memories: Pick<MemoryStore, 'titlesOfSite'>,
  userId: string,
  drafts: readonly NewMemory[],
  isStated: readonly boolean[],
): Promise<NewMemory[]> {
  const isShortened = ({ memory, site }: NewMemory, at: number) =>
    isStated[at] === true && site !== null && memory.captureMode === 'page' && cutsOf(memory.title).length > 0;
  const sites = new Set(drafts.filter(isShortened).map(({ site }) => site));
  const titles = new Map<string | null, string[]>();
  for (const site of sites)
    if (site !== null) titles.set(site, await memories.titlesOfSite(userId, site, MAX_COMPARED_TITLES));
  for (const { site, memory } of drafts) titles.get(site)?.push(memory.title);
  return drafts.map((draft, at) => {
    if (!isShortened(draft, at)) return draft;
    const title = ownTitle(draft.memory.title, titles.get(draft.site) ?? []);
    return { ...draft, memory: { ...draft.memory, title } };
  });
}

/**
 * Returns the part of a title that is the page's own: without the beginning or the end that several other titles have,
 * each with another rest. Never empty, and what only this title has stays.
 *
 * @example
 * ownTitle('Ownership - The Book', ['Traits - The Book', 'Lifetimes - The Book']); // 'Ownership'
 */
export function ownTitle(title: string, others: readonly string[]): string {
  for (const cuts of [endsOf(title), beginningsOf(title)]) {
    let cut: Cut | null = null;
    let shared: readonly string[] = others;
    // From the shortest on. A longer one is the name only if all titles with the shorter one have it.
    for (const next of cuts) {
      const sharing = shared.filter((other) => other !== title && next.isIn(other));
      if (new Set(sharing.map((other) => next.restOf(other))).size < MIN_TITLES_WITH_SITE_NAME) break;
      if (cut !== null && sharing.length < shared.length) break;
      [cut, shared] = [next, sharing];
    }
    if (cut !== null) return cut.restOf(title);
  }
  return title;
}

/** A place at which a title can be cut. */
interface Cut {
  isIn(title: string): boolean;
  /** The rest of a title after a part is cut off. */
  restOf(title: string): string;
}

const cutsOf = (title: string) => [...endsOf(title), ...beginningsOf(title)];
const hasWords = (text: string) => /[\p{L}\p{N}]/u.test(text);

/** The ends of a title, the shortest first. */
function endsOf(title: string): Cut[] {
  const places = [...title.matchAll(SEPARATOR)].map(({ index }) => index).reverse();
  const inParentheses = IN_PARENTHESES.exec(title);
  if (inParentheses !== null) places.unshift(inParentheses.index);
  return places
    .map((place) => title.slice(place))
    .filter((end) => hasWords(end) && hasWords(title.slice(0, -end.length)))
    .map((end) => ({
      isIn: (other) => other.endsWith(end) && hasWords(other.slice(0, -end.length)),
      restOf: (other) => other.slice(0, -end.length).trim(),
    }));
}

/** The beginnings of a title, the shortest first. */
function beginningsOf(title: string): Cut[] {
  return [...title.matchAll(SEPARATOR)]
    .map(({ index, 0: separator }) => title.slice(0, index + separator.length))
    .filter((beginning) => hasWords(beginning) && hasWords(title.slice(beginning.length)))
    .map((beginning) => ({
      isIn: (other) => other.startsWith(beginning) && hasWords(other.slice(beginning.length)),
      restOf: (other) => other.slice(beginning.length).trim(),
    }));
}
