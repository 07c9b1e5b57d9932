/** A generator of numbers from 0 to 1 that gives the same sequence for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SYLLABLES =
  'ba be bi bo bu da de di do ka ke ki ko la le li lo ma me mi mo na ne ni no pa pe ra re ri ro sa se si so ta te ti to va ve vi'.split(
    ' ',
  );

/** Words distributed as in a language: a few are frequent and many are rare (Zipf). */
export function createWords(random: () => number, vocabulary = 20_000): () => string {
  const words = Array.from({ length: vocabulary }, (_, rank) => {
    const syllables = 2 + Math.floor(Math.log10(rank + 1));
    return Array.from({ length: syllables }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)]).join('');
  });
  return () => words[Math.floor(vocabulary ** random()) - 1] ?? 'ba';
}

/** A text of `count` words in sentences. */
export function createText(word: () => string, count: number): string {
  return Array.from({ length: count }, (_, at) => (at % 12 === 11 ? `${word()}.` : word())).join(' ');
}
