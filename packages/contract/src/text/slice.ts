/** The nearest place at or before `at` that does not split a surrogate pair; at most the end of the text. */
export function wholeBoundary(text: string, at: number): number {
  const place = Math.min(at, text.length);
  return place > 0 && isLowSurrogate(text, place) && isHighSurrogate(text, place - 1) ? place - 1 : place;
}

/** A part of a text that neither begins nor ends within a surrogate pair. Half a pair at either end is left out. */
export function sliceText(text: string, start: number, end: number): string {
  return text.slice(isLowSurrogate(text, start) ? start + 1 : start, isLowSurrogate(text, end) ? end - 1 : end);
}

/** A text of at most `length` UTF-16 code units, with an ellipsis if it was cut. */
export function clipText(text: string, length: number): string {
  return text.length <= length ? text : `${sliceText(text, 0, length - 1)}…`;
}

function isLowSurrogate(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}

function isHighSurrogate(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800;
}
