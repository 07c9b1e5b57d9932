import { withoutHeadline } from '@recollect/contract/text';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeExcerpt } from '../src/retrieval/make-excerpt.js';

describe('makeExcerpt', () => {
  test('QRY-5: returns at most 300 characters on one line for any text and words', () => {
    const text = fc.oneof(
      fc.lorem({ maxCount: 200 }),
      fc.string({ unit: 'binary', maxLength: 2_000 }),
      fc.constant('x'.repeat(5_000)),
      fc.constant('𝄞'.repeat(900)),
    );
    fc.assert(
      fc.property(text, fc.array(fc.lorem({ maxCount: 1 }).map((word) => [word])), (body, terms) => {
        const excerpt = makeExcerpt(body, terms);
        expect(excerpt.length).toBeLessThanOrEqual(300);
        expect(excerpt).not.toMatch(/[\n\r\t]/);
        if (body.isWellFormed()) expect(excerpt.isWellFormed()).toBe(true);
      }),
    );
  });

  test('QRY-5: shows the place that contains the words', () => {
    const text = `${'Nothing to see here at all. '.repeat(60)}The zebra crossing was painted. ${'More of nothing. '.repeat(60)}`;
    expect(makeExcerpt(text, [['zebra'], ['crossing']])).toContain('zebra crossing');
    for (const form of ['zebras', 'Zébra']) expect(makeExcerpt(text, [[form]])).toContain('zebra');
    expect(makeExcerpt(text, [], 'zeb')).toContain('zebra');
    expect(makeExcerpt(text.replace('zebra', '東京都の'), [['京', '都']])).toContain('東京都の');
  });

  test('QRY-5: removes Markdown syntax and HTML, and keeps both in code', () => {
    expect(makeExcerpt('# Head\n\n- **bold** and [a link](https://a.example/x_(y) "t") `code`', [])).toBe(
      'Head bold and a link code',
    );
    expect(makeExcerpt('*Always* 2*3*4\n| a | b |\n|---|:-:|\n| c | d |', [])).toBe('Always 2*3*4 a b c d');
    expect(makeExcerpt('a <script>alert(1)</script> b<br/> <span class="x">c</span> &amp; d', [])).toBe('a b c & d');
    expect(makeExcerpt('<!-- 18480 -->\n[![CI](https://ci.example/x.svg)](https://ci.example)\nTea', [])).toBe('Tea');
    expect(
      makeExcerpt('[![CI][ci-svg]][ci-url] ![Tea][tea-png] in [a cup][cup]\n\n[ci-svg]: https://ci.example/x.svg', []),
    ).toBe('Tea in a cup');
    expect(makeExcerpt('rows[0][1] and [see]: nothing', [])).toBe('rows[0][1] and [see]: nothing');
    expect(makeExcerpt('Tea <!-- cut off', [])).toBe('Tea');
    expect(makeExcerpt('| Oster \\| West | 3 |', [])).toBe('Oster | West 3');
    expect(makeExcerpt('Brew[^1].\n\n[^1]: The float is honest.', [])).toBe('Brew. The float is honest.');
    for (const cut of [
      '[![CI](https://ci.example/x',
      '[![CI',
      '[![CI][ci-s',
      '[![CI][ci]',
      '<img src="a.png',
      '<a href="https://a.exa',
    ])
      expect(makeExcerpt(`Tea ${cut}`, [])).toBe('Tea');
    expect(makeExcerpt('Tea **at 70 degrees [and more](https://a.exa', [])).toBe('Tea at 70 degrees and more');
    expect(makeExcerpt('tea.example/a_(b) Steep it (briefly).', [])).toBe('tea.example/a_(b) Steep it (briefly).');
    expect(makeExcerpt('example/tea/long) Steep it.', [])).toBe('Steep it.');
    expect(makeExcerpt('Steep it/them) or 2 ** 3 and a**b', [])).toBe('Steep it/them) or 2 ** 3 and a**b');
    expect(makeExcerpt('| ![\\[Tip\\]](https://a.example/tip.png) | Steep it. |', [])).toBe('[Tip] Steep it.');
    expect(makeExcerpt('[![\\[Tip\\]](https://a.example/tip.png)](https://a.example) Steep it.', [])).toBe('Steep it.');
    expect(makeExcerpt('kettle`](https://a.example/b.html#kettle) boils.', [])).toBe('kettle` boils.');
    expect(makeExcerpt('html#kettle) boils.', [])).toBe('boils.');
    expect(makeExcerpt('Wrap it in `<div>`: a < b and Map<string> stay.\n```\n<p>\n```', [])).toBe(
      'Wrap it in <div>: a < b and Map<string> stay. <p>',
    );
  });

  test('handles text that is all Markdown syntax in linear time', () => {
    for (const unit of [
      '<!--',
      '<a ',
      '<script>',
      '[![',
      '[a][',
      '[a]: https:',
      '&amp',
      '```',
      '[',
      '[](',
      '**',
      '`',
      '> ',
      '# ',
      '![',
      '(',
      '__a',
      '*a',
      '|',
      '| - ',
    ]) {
      expect(makeExcerpt(unit.repeat(100_000), [['a']]).length).toBeLessThanOrEqual(300);
    }
  });
});

test('MEM-1: a list leaves out a heading that repeats the title, and horizontal rules', () => {
  const excerptOf = (title: string, text: string) => makeExcerpt(withoutHeadline(text, title), []);
  expect(excerptOf('Kanäle — Handbuch', '# Kanale\n\n---\n\nWasser fließt.')).toBe('Wasser fließt.');
  expect(excerptOf('Tea', '## Tea¶\nSteep it.')).toBe('Steep it.');
  expect(excerptOf('4. Tea — Manual', '## 4\\. **Tea**\n\nSteep it.')).toBe('Steep it.');
  expect(excerptOf('`tea`', '# `tea`\n\nSteep it.')).toBe('Steep it.');
  expect(excerptOf('Tea for two', '# Tea\n\nSteep it.')).toBe('Tea Steep it.');
  expect(excerptOf('E-mail', '# E\n\nA letter.')).toBe('E A letter.');
  expect(excerptOf('Tea', '# Teapots\n\n* * *\nOf clay.')).toBe('Teapots Of clay.');
  expect(excerptOf('Tea', '# Tea\n\n')).toBe('Tea');
  expect(excerptOf('Tea', 'Tea is steeped.\n- - -\n- milk')).toBe('Tea is steeped. milk');
});
