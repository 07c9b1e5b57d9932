import { expect, test } from 'vitest';
import { clippingDate } from '../src/clipping-date.js';
import { inlineTags } from '../src/inline-tags.js';
import { read } from './read.js';

test('SEC-11: the place of a clipping is read in linear time', () => {
  for (const part of ['a', ' ', '1', 'a ', '1:11', '上午 '])
    expect((size: number) => clippingDate(part.repeat(size / part.length))).toTakeLinearTime(10_000);
});

test('SEC-11: links of Notion and tags are read in linear time', () => {
  const id = '0123456789abcdef0123456789abcdef';
  for (const part of ['[', '![', '[a](', '[a](b(', '[a](.a#', '.a#', 'Tags:  \r'])
    expect((size: number) => read(`Page ${id}.md`, `# Page\n\n${part.repeat(size / part.length)}`)).toTakeLinearTime(
      15_000,
    );
  for (const part of [
    '#/',
    '#a-',
    '#a ',
    '`',
    '` `` ',
    '---\n',
    '[',
    '[a](',
    '[a](b(',
    '[a](b)c(',
    '<a ',
    '- ',
    '> ',
    '#👩‍🌾',
  ])
    expect((size: number) => inlineTags(part.repeat(size / part.length))).toTakeLinearTime(15_000);
});
