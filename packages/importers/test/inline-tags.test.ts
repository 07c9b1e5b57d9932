import { expect, test } from 'vitest';
import { inlineTags } from '../src/inline-tags.js';

test.each([
  ['Went for a walk. #journal/day #todo', ['journal/day', 'todo']],
  ['# Heading\n#bear/tag #multi word#\nbody (#aside)', ['bear/tag', 'multi word']],
  ['#tea and #Tee, #tea again', ['tea', 'Tee']],
  ['#one and #two', ['one', 'two']],
  ['Issue #12, https://a.example/#part, a#b, \\#c, ##d, C#', []],
  ['---\ntags: [x] # none\n---\n`#code` and\n```c\n#include <x.h>\n```\n#after', ['after']],
  ['#übung #заметка #-edge/', ['übung', 'заметка', 'edge']],
  ['One\n\n---\n#between\n\n---\n#below', ['between', 'below']],
  ['Fixes #3 in the F# port, #41 waits. #ship it, then C#', ['ship']],
  ['#plan the C# talk #slow food#, #2024 plans# #a# #x#y', ['plan', 'slow food', '2024 plans', 'a', 'x']],
  ['# one# and #two # three#\n#four  five#', ['two', 'four']],
  ['#2024 #2024-05 #v2 #1st #_', ['2024-05', 'v2', '1st', '_']],
  ['#हिन्दी #ภาษาไทย #نمی‌دانم #café', ['हिन्दी', 'ภาษาไทย', 'نمی‌دانم', 'café']],
  ['#🍵 #tea🍵/green #👩‍🌾 #🇫🇷 #❤️', ['🍵', 'tea🍵/green', '👩‍🌾', '🇫🇷', '❤️']],
  ['x#a "#b" [#c] -#d\u3000#e\t#f', ['e', 'f']],
  ['[Read #a](https://a.example/ "at #b") [[Note #c|as #d]] ![ #e](f.png) [x #f][g]', []],
  ['[1]: https://a.example/ "The #a"\n[^1]: A #footnote', ['footnote']],
  ['<a title="no #a" href="x">b</a> <!-- #c --> <https://d.example/ #e> 1 < 2 #f', ['f']],
  ['A ``code ` #a`` and `b\n#c` but ` #d', ['d']],
  ['Text\n\n    #indented\n\n\t#too\n\n- item\n\n    #inlist\n\nEnd\n    #lazy', ['inlist', 'lazy']],
  ['> ```\n> #a\n> ```\n> #b\n\n- ~~~~\n  #c\n  ~~~\n  #d\n  ~~~~\n#e\n```sh\n#f', ['b', 'e']],
  ['', []],
])('IMP-4: the tags in %j', (text, tags) => {
  expect(inlineTags(text)).toEqual(tags);
});
