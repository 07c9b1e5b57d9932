/** The text of a memory: different for each number, and from one page to many. */
export function textOf(number: number): string {
  const sentence = `Note ${number} says that sencha, gyokuro and matcha differ in ${number * 7919}. `;
  return sentence.repeat(1 + (number % 7) ** 4).trim();
}
