import type { Capture } from '@recollect/contract';

interface Sample extends Capture {
  title: string;
  tags: string[];
}

const gutenberg = (number: number) => `https://www.gutenberg.org/ebooks/${number}`;
const SAMPLE_CREDIT = 'Written for Recollect as a sample.';

/** Ten short memories of all kinds. Passages of books are in the public domain; the others were written for this. */
export const samples: readonly Sample[] = [
  {
    title: 'Down the Rabbit-Hole',
    url: gutenberg(11),
    tags: ['books'],
    metadata: { author: 'Lewis Carroll' },
    pageText: `Alice was beginning to get very tired of sitting by her sister on the bank, and of having nothing to do: once or twice she had peeped into the book her sister was reading, but it had no pictures or conversations in it, “and what is the use of a book,” thought Alice “without pictures or conversations?”

So she was considering in her own mind (as well as she could, for the hot day made her feel very sleepy and stupid), whether the pleasure of making a daisy-chain would be worth the trouble of getting up and picking the daisies, when suddenly a White Rabbit with pink eyes ran close by her.

Lewis Carroll, *Alice’s Adventures in Wonderland* (1865), public domain.`,
  },
  {
    title: 'A truth universally acknowledged',
    url: gutenberg(1342),
    tags: ['books'],
    metadata: { author: 'Jane Austen' },
    pageText: `It is a truth universally acknowledged, that a single man in possession of a good fortune, must be in want of a wife.

However little known the feelings or views of such a man may be on his first entering a neighbourhood, this truth is so well fixed in the minds of the surrounding families, that he is considered as the rightful property of some one or other of their daughters.

Jane Austen, *Pride and Prejudice* (1813), public domain.`,
  },
  {
    title: 'I went to the woods',
    url: gutenberg(205),
    tags: ['books', 'nature'],
    metadata: { author: 'Henry David Thoreau' },
    pageText: `I went to the woods because I wished to live deliberately, to front only the essential facts of life, and see if I could not learn what it had to teach, and not, when I came to die, discover that I had not lived.

Henry David Thoreau, *Walden* (1854), public domain.`,
  },
  {
    title: 'Sonnet 18',
    url: gutenberg(1041),
    tags: ['poems'],
    metadata: { author: 'William Shakespeare' },
    pageText: `Shall I compare thee to a summer’s day?
Thou art more lovely and more temperate:
Rough winds do shake the darling buds of May,
And summer’s lease hath all too short a date.

William Shakespeare, *Sonnets* (1609), public domain. The first four of fourteen lines.`,
  },
  {
    title: 'To Sherlock Holmes she is always the woman',
    url: gutenberg(1661),
    tags: ['books'],
    metadata: { author: 'Arthur Conan Doyle' },
    pageText: `To Sherlock Holmes she is always *the* woman. I have seldom heard him mention her under any other name. In his eyes she eclipses and predominates the whole of her sex. It was not that he felt any emotion akin to love for Irene Adler.

Arthur Conan Doyle, “A Scandal in Bohemia” (1891), public domain.`,
  },
  {
    title: 'Four score and seven years ago',
    url: gutenberg(4),
    tags: ['history'],
    metadata: { author: 'Abraham Lincoln' },
    pageText: `Four score and seven years ago our fathers brought forth on this continent, a new nation, conceived in Liberty, and dedicated to the proposition that all men are created equal.

Now we are engaged in a great civil war, testing whether that nation, or any nation so conceived and so dedicated, can long endure. We are met on a great battle-field of that war.

Abraham Lincoln, the Gettysburg Address (1863), public domain. Its beginning.`,
  },
  {
    title: 'Sourdough, the short version',
    tags: ['kitchen'],
    pageText: `- 500 g flour, 350 g water, 100 g active starter, 10 g salt
- Mix, rest for half an hour, then fold four times in two hours
- Leave it to rise until it has grown by half; in a cold kitchen that takes all night
- Shape it, chill it, bake it in a hot pot at 240 °C: 25 minutes with the lid, 20 without

A dough that spreads and smells of vinegar has proofed too long. Bake it in a tin, and shorten the rise next time.

${SAMPLE_CREDIT}`,
  },
  {
    title: 'Weekend in the mountains: what to pack',
    tags: ['travel'],
    pageText: `- [x] Rain jacket, hat, gloves
- [x] Map, and the map on the phone without a network
- [ ] Two litres of water
- [ ] Head torch with new batteries
- [ ] Plasters, and the good tape

Leave word with someone which way you go and when you will be back.

${SAMPLE_CREDIT}`,
  },
  {
    title: 'Why is the sky blue?',
    tags: ['science'],
    messages: [
      { role: 'user', text: 'Why is the sky blue, and why is it red in the evening?' },
      {
        role: 'assistant',
        text: 'Molecules of air scatter short waves of light more than long ones, so blue light reaches you from all sides. In the evening, sunlight takes a longer way through the air. Most of the blue is scattered out of it, and what is left is red.',
      },
      { role: 'user', text: 'Why is it not violet, then?' },
      {
        role: 'assistant',
        text: `The sun sends less violet than blue, some of it is absorbed high up, and eyes see violet poorly. (${SAMPLE_CREDIT} No assistant said this.)`,
      },
    ],
  },
  {
    title: 'How search by meaning works',
    tags: ['science'],
    pageText: `A small model on your own computer turns each passage into a list of numbers, so that passages about the same thing get similar lists. A question is turned into such a list too, and the nearest passages are the answer. That is why “something warm to drink” can find a text about tea.

Recollect also searches for the words themselves, and puts both results in one order.

${SAMPLE_CREDIT}`,
  },
];
