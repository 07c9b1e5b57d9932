/** Finds the quote that ends the string of JSON starting at `start`: its index, or the length of the text. */
export function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slash = at;
    while (text[slash - 1] === '\\') slash--;
    if ((at - slash) % 2 === 0) return at;
  }
  return text.length;
}
