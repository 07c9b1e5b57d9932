/** A place in a text that can be jumped to. */
export interface Place {
  text: string;
  /** How deep it is, from 0. */
  depth: number;
  element: HTMLElement;
}

export interface Outline {
  label: 'Contents' | 'Questions';
  places: readonly Place[];
}

/** Headings from which a text has contents, and questions from which a conversation has a list of them. */
const MIN_HEADINGS = 3;
const MIN_QUESTIONS = 2;
/** Characters of a place that are shown. */
const MAX_LABEL_CHARACTERS = 120;

/** The headings of a text, or the user's questions of a conversation. Null if there are too few. */
export function outlineOf(article: HTMLElement): Outline | null {
  const find = (selector: string) => [...article.querySelectorAll<HTMLElement>(selector)];
  if (article.querySelector('.turn') !== null) {
    const places = find('.turn.own').map((element) => ({ text: textOf(element), depth: 0, element }));
    return places.length < MIN_QUESTIONS ? null : { label: 'Questions', places };
  }
  const headings = find('h2, h3, h4, h5, h6').filter(({ hidden, textContent }) => !hidden && textContent.trim() !== '');
  if (headings.length < MIN_HEADINGS) return null;
  const levels = headings.map(({ tagName }) => Number(tagName.slice(1)));
  const top = Math.min(...levels);
  const places = headings.map((element, at) => ({ text: textOf(element), depth: (levels[at] ?? top) - top, element }));
  return { label: 'Contents', places };
}

/** The last place that was passed, by which the user knows where they are; -1 before the first. */
export function currentPlace({ places }: Outline): number {
  return places.findLastIndex(({ element }) => element.getBoundingClientRect().top <= innerHeight / 4);
}

/** Scrolls to a place and continues the Tab order from there. */
export function goTo({ element }: Place): void {
  element.scrollIntoView({ block: 'start' });
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

function textOf(element: HTMLElement): string {
  const parts = Array.from(element.childNodes).filter(
    (child) => !(child instanceof HTMLElement && child.matches('.turn-role')),
  );
  const text = parts
    .map(({ textContent }) => textContent ?? '')
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
  return text.length <= MAX_LABEL_CHARACTERS ? text : `${text.slice(0, MAX_LABEL_CHARACTERS).trimEnd()}…`;
}
