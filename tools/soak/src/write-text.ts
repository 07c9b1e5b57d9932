const SENTENCES = [
  'The committee met on Tuesday to discuss the budget for the coming year and the repairs of the old bridge.',
  'Rain had fallen for three days, and the river stood higher than anyone in the village could remember.',
  'A good bread needs flour, water, salt and time, of which time is the one that cannot be bought.',
  'The experiment was repeated with a smaller sample, and the result was the same within the error.',
  'Her grandfather had kept bees behind the house, and the smell of smoke and honey never left the shed.',
  'When the train finally arrived the platform was empty but for a dog and a man selling newspapers.',
  'Most of the software that runs the world was written by people who are no longer there to explain it.',
  'In winter the lake freezes from the shore inward, and the children test the ice with stones.',
];
const QUESTIONS = [
  'how high was the river',
  'what does bread need',
  'smell of honey',
  'ice on the lake',
  'the old bridge',
];

let number = 0;

/** A text of one to six sentences that no other call returns. */
export function writeText(): string {
  number += 1;
  const count = 1 + (number % 6);
  const sentences = Array.from({ length: count }, (_, at) => SENTENCES[(number * 3 + at) % SENTENCES.length]);
  return `${sentences.join(' ')} Note ${number}.`;
}

/** A question about the texts. */
export function writeQuestion(): string {
  number += 1;
  return `${QUESTIONS[number % QUESTIONS.length]} ${number % 97}`;
}
