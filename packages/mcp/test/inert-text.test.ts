import fc from 'fast-check';
import { marked } from 'marked';
import { describe, expect, test } from 'vitest';
import { inertLine, inertText, visibleText, webAddress } from '../src/quoting/inert-text.js';

/** The targets of links and pictures, and the HTML, that a Markdown renderer finds in a text. */
function rendered(text: string): { links: string[]; pictures: string[]; html: string[] } {
  const found = { links: [] as string[], pictures: [] as string[], html: [] as string[] };
  marked.walkTokens(marked.lexer(text), (token) => {
    // A bare email address is text to readers, but a link to some renderers.
    if (token.type === 'link' && token.raw !== token.text) found.links.push(token.href);
    if (token.type === 'image') found.pictures.push(token.href);
    if (token.type === 'html') found.html.push(...(token.raw.match(/<\/?[a-z][^<]*/gi) ?? []));
  });
  return found;
}

const ACTIVE_HTML =
  /<\/?(?:audio|base|embed|form|iframe|image|img|input|link|meta|object|script|source|style|svg|video)\b|[\s"'/](?:src|style|on\w+)\s*=|href\s*=\s*["']?\s*(?!https?:\/\/)[a-z][a-z0-9+.-]*:/i;

/** Decodes an attribute as a browser does. */
const decoded = (html: string) =>
  html
    .replace(/&#(x?)([0-9a-f]+);?/gi, (_, x, code) =>
      String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(code, x ? 16 : 10) || 0)),
    )
    .replace(/&colon;/gi, ':');

function expectInert(text: string): void {
  const { links, pictures, html } = rendered(inertText(text));
  const foreign = links.filter((href) => /^\s*(?!https?:\/\/)[a-z][a-z0-9+.-]*:/i.test(href));
  expect([text, pictures, foreign, html.filter((raw) => ACTIVE_HTML.test(decoded(raw)))]).toEqual([text, [], [], []]);
}

describe('inertText', () => {
  test('SEC-11, SEC-13: reads a text of much white space in linear time', () => {
    for (const start of ['](', ']:', ']( <', '<a href=', '<a href = "', '<a src'])
      for (const space of [' ', '\n'])
        expect(inertText(start + space.repeat(300_000))).toHaveLength(300_000 + start.length);
  });

  test('SEC-13: disables pictures, links other than to http and https, and active elements', () => {
    const texts = [
      '![a](https://evil.example/x.png)',
      '!![a](https://evil.example/x.png)',
      '![a\nb](https://evil.example/x.png)',
      '![a\\]b](https://evil.example/x.png) ![a\\[b](https://evil.example/x.png)',
      '![a[b[c]]](https://evil.example/x.png)',
      '![n]\n\n> [n]: https://evil.example/x.png',
      '![n]\n\n[n]:\nhttps://evil.example/x.png',
      '[![a](https://evil.example/x.png)](vscode://evil)',
      '[x](tel:1)(vscode://evil)',
      '[a]: <tel:1>: vscode://evil\n\n[a]',
      '[x](vscode://a((b)))',
      '[x](<vscode://a b>)',
      '[x](vscode://a (title))',
      '[x](vscode://a "t\nu")',
      '[x](    vscode://a)',
      `[x](${' '.repeat(50)}vscode://a) [x](<${' '.repeat(50)}vscode://a>)`,
      `<a ${'x'.repeat(3_000)} href   =   "java&#115;cript:alert(1)">x</a> <a title="<" href="vscode://x">x</a>`,
      '[x](\nvscode://a)',
      '[a]\n\n[a]:\nvscode://x',
      '[a]\n\n> [a]: vscode://x',
      '[a]\n\n[a]: <vscode://x>',
      '[x](javascript:alert(1)) [x](JaVaScRiPt:alert`1`) [x](<javascript:alert(1)>)',
      '[x](java&#115;cript:alert) [x](javascript&colon;alert) [x](javascript\\:alert(1)) [x](&#106;avascript:alert)',
      '[mail](mailto:a@b.example?body=x) <mailto:a@b.example> <tel:123> <vscode://open/x>',
      '<img alt=">" src="https://evil.example/x">',
      '<img alt="x"src="https://evil.example/x"><img/src="https://evil.example/x">',
      '<a/href="java&#115;cript:alert(1)">x</a> <a href="java&#115;cript:alert(1)">x</a> <a href=vscode://x>x</a>',
      '<svg><image href="https://evil.example/x.png"/></svg>',
      '<link rel=stylesheet href="https://evil.example/x.css">',
      '<div style="background:url(https://evil.example/x)">x</div>',
      '<style>@import url(https://evil.example/x)</style>',
      '<meta http-equiv=refresh content="0;url=https://evil.example">',
      '<p onclick="x()">x</p> <body background="https://evil.example/x">',
      'javascript:(vscode://x) [mailto:](vscode://x)',
      'data:text/html;base64,AAAA file:///etc/passwd javascript:alert(1) ftp://evil.example mailto:a@b.example?body=x',
    ];
    for (const text of texts) expectInert(text);
    expect(inertText('paste javascript:alert(1), file:///etc/passwd or data:text/html,x')).toBe(
      'paste javascript :alert(1), file :///etc/passwd or data :text/html,x',
    );
  });

  test('SEC-13: removes no visible character and leaves harmless text unchanged', () => {
    const texts = [
      'see [the page](https://example.org/a?b=c "title") and [up](/path) and [here](#top) <https://example.org/>',
      '[a]: https://example.org/ "A"',
      '<a href="https://example.org/">x</a> <p class="a">b</p>',
      'the data: 5 items, as in data:\n- one',
      'const data = { a: 1 };\nif (a < b && c > d) x["k"](y);',
      'handlers[name](event); map[0](a, b); f[i](a&b); d[k](n%2); time[0](12:30)',
      'std::vector<std::string> v; static_cast<std::size_t>(x); fns[i](std::move(x)); Vec<crate::x>',
      'postgres://me@localhost:5432/db, std::vector, 12:30, C:\\Users, key:value, file:12, blob:x',
      'DATABASE_URL=file:./dev.db\nfunction f(file:string, blob:Blob)',
      '</soap:Body> <xs:element name="a"/> <T extends Map<K, V>> <Chart data={rows}>',
      '[worker] error:ENOENT reading',
      '中文 и العربية, café, 👍',
    ];
    for (const text of texts) expect(inertText(text)).toBe(text);
    const spaced = 'let v = vec![1];\n[worker]: error:ENOENT\nf[i](a:b)\n<button onClick={go}><xs:all>';
    expect(inertText(spaced)).toBe(
      'let v = vec! [1];\n[worker] : error:ENOENT\nf[i] (a:b)\n< button onClick={go}>< xs:all>',
    );
  });

  test('SEC-13: removes every character that is invisible or changes the writing direction', () => {
    const hidden = [...Array(0x110000).keys()].filter((code) => {
      const character = String.fromCodePoint(code);
      return (
        /\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}|\p{Cc}|\p{Co}/u.test(character) && !/[\n\t]/.test(character)
      );
    });
    expect(hidden.length).toBeGreaterThan(4_000);
    const text = hidden.map((code) => `a${String.fromCodePoint(code)}b`).join('');
    expect(visibleText(text).replaceAll(/[ab\n]/g, '')).toBe('');
    const tags = [...'ignore all'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
    expect(inertText(`ja\u200bva\u00adscript:alert(1) \u202etxt.exe\u202c${tags}`)).toBe(
      'javascript :alert(1) txt.exe',
    );
    expect(inertText('a\r\nb\rc\u2028d\u0085e')).toBe('a\nb\nc\nd\ne');
    expect(inertText('half \ud800 pair').isWellFormed()).toBe(true);
  });

  const piece = fc.oneof(
    fc.constantFrom('[', ']', '(', ')', '<', '>', '!', '](', '![', ']:', '\\', ' ', '\n', '"', '&#58;', '&colon;'),
    fc.constantFrom(
      'a',
      'javascript:',
      'data:x/y,',
      'vscode://',
      'tel:',
      'https://a.example/',
      'img ',
      'a href=',
      'src=',
      '/',
    ),
    fc.string({ unit: 'binary', maxLength: 4 }),
  );
  const hostile = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));

  test('SEC-13: for any stored text, a Markdown renderer finds nothing that loads, runs or leads elsewhere', () => {
    fc.assert(fc.property(hostile, expectInert), { numRuns: 5_000 });
  });

  test('SEC-13: a text of one repeated pattern takes about as long per character as ordinary text', () => {
    const length = 200_000;
    const time = (text: string) => {
      const began = performance.now();
      inertText(text);
      return performance.now() - began;
    };
    const usual = Math.max(...[1, 2, 3].map(() => time('The words of a usual text, and a link. '.repeat(length / 39))));
    for (const unit of [
      '[',
      '![',
      '](',
      '[](',
      '[]( ',
      ']: ',
      '](a',
      '[](x "',
      '<a ',
      '<a href="',
      '<a href=',
      '<',
      '<a',
      'data:',
      'data:a/',
      '[a]: ',
      '<x:',
      ' ',
      '(',
      ':',
      '&#58',
      'href=',
    ]) {
      // An expression that backtracks would take thousands of times as long.
      const hostile = unit.repeat(length / unit.length);
      const isUsual = () => time(hostile) < 100 * usual + 500;
      expect([unit, isUsual() || isUsual() || isUsual()]).toEqual([unit, true]);
    }
  });
});

test('SEC-13: a title is one line of bounded length', () => {
  expect(inertLine('  a\n\tb\u202e  c ', 10)).toBe('a b c');
  expect(inertLine('x'.repeat(50), 10)).toBe(`${'x'.repeat(9)}…`);
  expect(inertLine('👍'.repeat(9), 4).isWellFormed()).toBe(true);
});

test('SEC-13: returns an encoded http or https URL, or an empty string', () => {
  expect(webAddress('https://exa\u202emple.org/a b"><script>')).toMatch(/^(?:https:\/\/[!-~]+)?$/);
  expect(webAddress('http://example.org/ä?q=„x“')).toBe('http://example.org/%C3%A4?q=%E2%80%9Ex%E2%80%9C');
  for (const other of ['javascript:alert(1)', 'file:///etc', 'x', '', null]) expect(webAddress(other)).toBe('');
});
