/** A part of a text that neither begins nor ends within a surrogate pair; a half at either end is left out. */
export function sliceText(text: string, start: number, end: number): string {
  const isLow = (at: number) => (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  return text.slice(isLow(start) ? start + 1 : start, isLow(end) ? end - 1 : end);
}
