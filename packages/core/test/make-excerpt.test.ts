import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMarker, makeExcerpt } from '../src/retrieval/make-excerpt.js';

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
    expect(createMarker([], 'zeb').excerptOf(text)).toContain('zebra');
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

describe('where an excerpt begins', () => {
  const PROSE = 'Waggle dances tell the other bees where flowers are.';
  const links = (...names: string[]) => names.map((name) => `- [${name}](#${name.toLowerCase()})`).join('\n');

  test('QRY-5: not in a list of links or a table of contents, unless the text has nothing else', () => {
    const contents = links('Dances', 'Flowers', 'Hives', 'Waggle');
    for (const start of [
      `# Bees\n\n${contents}\n\n`,
      `Contents\n\n- Dances\n- Hives\n  - Combs\n\n`,
      `## Table of contents\n1. Dances\n2. Hives\n\n`,
      '**Inhalt**\n\n* Tänze\n* Stöcke\n\n',
      'Dances ........ 3\nHives ......... 17\n\n',
      '[Home](/) / [Insects](/insects) / [Bees](/insects/bees)\n\n',
    ])
      for (const terms of [[], [['waggle']], [['hives']]])
        expect(makeExcerpt(start + PROSE, terms, { title: 'Bees' }), start).toBe(PROSE);
    expect(makeExcerpt(contents, [])).toBe('Dances Flowers Hives Waggle');
    expect(makeExcerpt('- milk\n- eggs\n\nCall Ana about the party on Friday evening.', [])).toMatch(/^milk eggs Call/);
  });

  test('QRY-5: not in the short lines of a menu, unless a word of the query is there', () => {
    const menu = 'Home\nInsects\nBirds\nShop\nSign in\n\n';
    expect(makeExcerpt(menu + PROSE, [])).toBe(PROSE);
    expect(makeExcerpt(menu + PROSE, [['birds']])).toMatch(/^Home Insects Birds/);
  });

  test('QRY-5: with the sentence of the match', () => {
    const filler = 'Nothing to see here at all, and nothing to hear. '.repeat(20);
    expect(makeExcerpt(`${filler}${PROSE} ${filler}`, [['flowers']])).toMatch(/^…Waggle dances tell/);
    expect(makeExcerpt(`${filler}${PROSE}`, [['flowers']])).toMatch(/^…Nothing to see .* where flowers are\.$/);
    expect(
      makeExcerpt(`${'昨日の天気はとても良かった。'.repeat(40)}蜂は花の場所を踊りで伝える。${'今日も。'.repeat(90)}`, [
        ['踊', 'り'],
      ]),
    ).toMatch(/^…(?:昨日の天気|蜂は花)/);
  });

  test('QRY-5: with the question of a conversation, and without roles', () => {
    const chat =
      'system: Be brief.\n\nuser: hi\n\nassistant: Hello!\n\nuser: How hot should green tea be?\n\nassistant: 70 degrees.';
    const of = { isConversation: true };
    expect(makeExcerpt(chat, [], of)).toBe('How hot should green tea be?');
    expect(makeExcerpt(chat, [['degrees']], of)).toBe('Be brief. hi Hello! How hot should green tea be? 70 degrees.');
    expect(makeExcerpt('user: How hot?\n\nassistant: 70 degrees.', [], of)).toBe('How hot? 70 degrees.');
    expect(makeExcerpt('user: bring milk', [])).toBe('user: bring milk');
  });

  test('QRY-5: without badges, and with the words of any other syntax', () => {
    expect(
      makeExcerpt(
        '[![CI](https://ci.example/a.svg "build")](https://ci.example) ![npm](https://img.shields.io/npm/v/tea.svg)\n\nTea\n===\n> - **Steep** _it_ ~~hot~~ ==warm==, see <https://tea.example> and [[Cups|a cup]].\n> [!tip] Below\n##\n80 _degrees_',
        [],
      ),
    ).toBe('Tea Steep it hot warm, see https://tea.example and a cup. Below 80 degrees');
    expect(makeExcerpt('snake_case_name, rows[[0]], a == b == c and _private', [])).toBe(
      'snake_case_name, rows[[0]], a == b == c and _private',
    );
  });

  test('QRY-5: never behind the subject of its sentence', () => {
    const text = '# Recollect\n\nRecollect is a memory that you own.';
    expect(makeExcerpt(text, [], { title: 'Recollect' })).toBe('Recollect is a memory that you own.');
    expect(makeExcerpt(text, [['memory']], { title: 'Recollect' })).toBe('Recollect is a memory that you own.');
  });
});

test('MEM-1: a list leaves out a heading that repeats the title, and horizontal rules', () => {
  const excerptOf = (title: string, text: string) => makeExcerpt(text, [], { title });
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
