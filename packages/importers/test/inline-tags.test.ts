import { expect, test } from 'vitest';
import { inlineTags } from '../src/inline-tags.js';

test.each([
  ['Went for a walk. #journal/day #todo', ['journal/day', 'todo']],
  ['# Heading\n#bear/tag #multi word#\nbody (#aside)', ['bear/tag', 'multi word', 'aside']],
  ['#tea and #Tee, #tea again', ['tea', 'Tee']],
  ['#one and #two', ['one', 'two']],
  ['Issue #12, https://a.example/#part, a#b, \\#c, ##d, C#', []],
  ['---\ntags: [x] # none\n---\n`#code` and\n```c\n#include <x.h>\n```\n#after', ['after']],
  ['#übung #заметка #-edge/', ['übung', 'заметка', 'edge']],
  ['One\n\n---\n#between\n\n---\n#below', ['between', 'below']],
  ['', []],
])('IMP-4: the tags in %j', (text, tags) => {
  expect(inlineTags(text)).toEqual(tags);
});
