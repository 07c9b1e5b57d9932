import fc from 'fast-check';
import { marked } from 'marked';
import { expect, test } from 'vitest';
import { findTasks, isSameButForTasks, setTask } from '../src/app/markdown/tasks.js';

const TEXT = `- [ ] one
- [x] two
  1. [X] nested
> * [ ] quoted

\`\`\`md
- [ ] in a program
\`\`\`
- [ ]
- [link](x) and \`- [ ] y\``;

test('finds the boxes of task lists at any depth, and none in programs, links and empty items', () => {
  const found = findTasks(TEXT);
  expect(found.map(({ isDone }) => isDone)).toEqual([false, true, true, false]);
  expect(found.map(({ at }) => TEXT.slice(at - 1, at + 2))).toEqual(['[ ]', '[x]', '[X]', '[ ]']);
});

test('SEC-11: finds boxes behind many beginnings of lists in linear time', () => {
  expect((size: number) => findTasks(`* ${'*  * '.repeat(size)}[`)).toTakeLinearTime(5_000);
  const text = `* ${'*  * '.repeat(30)}[x] done`;
  expect(findTasks(text)).toEqual([{ at: text.indexOf('x'), isDone: true }]);
});

test('ticks one box and nothing else', () => {
  expect(setTask(TEXT, 3, true)).toBe(TEXT.replace('[ ] quoted', '[x] quoted'));
  expect(setTask(TEXT, 1, false)).toBe(TEXT.replace('[x] two', '[ ] two'));
  expect(setTask(TEXT, 9, true)).toBe(TEXT);
  expect(isSameButForTasks(TEXT, setTask(setTask(TEXT, 0, true), 2, false))).toBe(true);
  expect(isSameButForTasks(TEXT, TEXT.replace('[ ] y', '[x] y'))).toBe(false);
  expect(isSameButForTasks(TEXT, `${TEXT}.`)).toBe(false);
});

test('has the boxes that a renderer of Markdown shows', () => {
  const line = fc
    .record({
      quote: fc.constantFrom('', '> '),
      bullet: fc.constantFrom('- ', '* ', '2. '),
      box: fc.constantFrom('[ ] ', '[x] ', '[X] ', '', '[y] '),
      text: fc.constantFrom('tea', '**coffee**', '`[ ]`', '[ ] [x]'),
    })
    .map(({ quote, bullet, box, text }) => quote + bullet + box + text);
  fc.assert(
    fc.property(fc.array(fc.oneof(line, fc.constantFrom('', 'words')), { maxLength: 8 }), (lines) => {
      const text = lines.join('\n\n');
      const boxes = marked.parse(text, { async: false }).match(/<input[^>]*>/g) ?? [];
      expect(findTasks(text).map(({ isDone }) => isDone)).toEqual(boxes.map((box) => box.includes('checked')));
    }),
  );
});
