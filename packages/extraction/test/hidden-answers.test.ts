import { openArticleExtractor } from '@recollect/extraction';
import { afterAll, describe, expect, test } from 'vitest';

// The limit is only for a fault: the machine may run other tests.
const extractor = openArticleExtractor({ timeLimit: 120_000 });
afterAll(() => extractor.close());

const PROSE =
  '<p>A kettle that whistles has boiled for a while, and whoever makes tea in it every day knows the note it sings.</p>';
const page = (inner: string, before = '') =>
  `<html><head><title>Kettles</title></head><body>${before}<main><h1>Kettles</h1>${PROSE.repeat(4)}${inner}${PROSE.repeat(2)}</main></body></html>`;
const read = async (inner: string, before = '') =>
  (await extractor.extract(page(inner, before), 'https://kettles.example/')).text;

/** Closed answers to the question "Which kettle is quiet?", as pages write them. */
const CLOSED: readonly [string, string][] = [
  [
    'aria-controls',
    '<h3><button aria-expanded="false" aria-controls="a1">Which kettle is quiet?</button></h3><div id="a1" hidden><p>One of copper, with a wide base.</p></div>',
  ],
  [
    'aria-controls within a wrapper',
    '<div><button aria-controls="a1">Which kettle is quiet?</button><div style="display: none"><div id="a1" role="region"><p>One of copper, with a wide base.</p></div></div></div>',
  ],
  [
    'aria-expanded',
    '<h3><button aria-expanded="false">Which kettle is quiet?</button></h3><div style="display:none"><p>One of copper, with a wide base.</p></div>',
  ],
  [
    'Bootstrap',
    '<h3><a data-bs-toggle="collapse" href="#a1">Which kettle is quiet?</a></h3><div id="a1" class="hidden"><p>One of copper, with a wide base.</p></div>',
  ],
  [
    'tabs',
    '<h3>Which kettle is quiet?</h3><div role="tablist"><button role="tab" aria-controls="t1">Gas</button><button role="tab" aria-controls="t2">Fire</button></div><div role="tabpanel" id="t1"><p>On gas every kettle is loud.</p></div><div role="tabpanel" id="t2" hidden aria-hidden="true"><p>One of copper, with a wide base.</p></div>',
  ],
  [
    'details',
    '<details><summary>Which kettle is quiet?</summary><div style="display:none"><p>One of copper, with a wide base.</p></div></details>',
  ],
  [
    'a list of terms',
    '<dl><dt>Which kettle is quiet?</dt><dd style="display:none"><p>One of copper, with a wide base.</p></dd></dl>',
  ],
  [
    'until-found',
    '<h3>Which kettle is quiet?</h3><div hidden="until-found"><p>One of copper, with a wide base.</p></div>',
  ],
];

describe('panels that the reader of a page can open', () => {
  test.each(CLOSED)('CAP-2: keeps a closed answer with its question: %s', async (_, html) => {
    expect(await read(html)).toMatch(/Which kettle is quiet\?.*One of copper, with a wide base\./s);
  });

  test('CAP-2: leaves out elements that nothing opens, and panels beside the text', async () => {
    const closed = (attributes: string) =>
      `<div ${attributes}><p>SECRET words that the page does not show to its reader at all.</p></div>`;
    const text = await read(
      [
        closed('hidden'),
        closed('style="display:none"'),
        `<button aria-controls="m1">More</button>${closed('id="m1" class="share-menu" hidden')}`,
        `<button aria-controls="m2">Ask</button>${closed('id="m2" role="dialog" hidden')}`,
        `<dl><dt hidden>Secret term</dt><dd hidden>SECRET description.</dd></dl>`,
        `<div hidden><button aria-controls="m3">More</button>${closed('id="m3"')}</div>`,
      ].join(''),
      `<header><button aria-controls="m0">Menu</button><div id="m0" hidden>${closed('')}</div></header>`,
    );
    expect(text).not.toMatch(/secret/i);
    expect(text).toContain('A kettle that whistles');
  });
});
