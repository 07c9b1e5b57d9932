import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isWrapped } from '../src/app/markdown/is-wrapped.js';

const README = `Your own machine needs no setup. This page is for a Recollect that other machines reach: a home server, a container, a
machine behind a proxy. There every request needs an [API key](access.md#keys). Create the first on
the machine itself with \`recollect keys create\`, under the account of the service and with its \`RECOLLECT_DATA_DIR\`.
(\`recollect\` is the alias of the terminal.)

- Leave the service on 127.0.0.1, and put a proxy with a certificate in front of it. Two settings tell the service about
  the proxy. The first is the address that users type.
`;

const POEM = `Whose woods these are I think I know, though it has been a while.
His house is in the village though, and here there is no stile;
He will not see me stopping here, with neither cart nor load,
To watch his woods fill up with snow beside the empty road.`;

const repeat = (line: string) => Array.from({ length: 20 }, () => line).join('\n');

test.each([
  ['a Markdown file whose author wraps lines', README, true],
  ['a poem with long lines', POEM, false],
  ['a log', repeat('2026-11-25 10:00:10 worker 3 finished the job in 0.31 seconds'), false],
  ['short lines', 'Dear Ann,\nthank you for the\nbook. It was\nwonderful and\nI read it twice.', false],
  ['one line', 'It is one line.', false],
  ['lines that end with two spaces', repeat('the author wants each of these lines to end where it ends  '), false],
  ['a list', repeat('- flour that is milled from wheat grown near the river, twice'), false],
  ['a program', `\`\`\`\n${repeat('const result = await something.that(takes, many, parameters);')}\n\`\`\`\n`, false],
  ['a table', repeat('| some long cell of the table that is filled up | and another |'), false],
])('%s', (_, text, expected) => {
  expect(isWrapped(text)).toBe(expected);
});

test('recognises prose that was wrapped at any usual width, and not the same prose with a sentence on each line', () => {
  const sentence = fc.array(fc.stringMatching(/^[a-z]{2,10}$/), { minLength: 8, maxLength: 20 });
  const prose = fc.array(sentence, { minLength: 12, maxLength: 24 });
  fc.assert(
    fc.property(prose, fc.integer({ min: 65, max: 120 }), (texts, width) => {
      const sentences = texts.map((words) => `A ${words.join(' ')}.`);
      const lines = [''];
      for (const word of sentences.join(' ').split(' ')) {
        const line = lines.at(-1) ?? '';
        if (line.length + 1 + word.length > width) lines.push(word);
        else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
      }
      expect(isWrapped(lines.join('\n'))).toBe(true);
      expect(isWrapped(sentences.join('\n'))).toBe(false);
    }),
  );
});
