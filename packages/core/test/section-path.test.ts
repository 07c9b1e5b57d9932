import { expect, test } from 'vitest';
import { sectionPath } from '../src/retrieval/read-passages.js';

const TEXT = `Before all.

# Tea

Leaves.

## Green **tea** ##

Steep it.

\`\`\`sh
# not a heading
\`\`\`

~~~~
~~~
# nor this
~~~~

### At *home*

#hashtag

## Black

Milk.

# Coffee
`;

const pathTo = (words: string) => sectionPath(TEXT, TEXT.indexOf(words));

test('MCP-1: names the headings that a place stands under', () => {
  expect(pathTo('Before')).toEqual([]);
  expect(pathTo('Leaves')).toEqual(['Tea']);
  expect(pathTo('Steep')).toEqual(['Tea', 'Green tea']);
  expect(pathTo('not a heading')).toEqual(['Tea', 'Green tea']);
  expect(pathTo('#hashtag')).toEqual(['Tea', 'Green tea', 'At home']);
  expect(pathTo('Milk')).toEqual(['Tea', 'Black']);
  expect(pathTo('## Black')).toEqual(['Tea', 'Black']);
  expect(pathTo('# Coffee')).toEqual(['Coffee']);
});
