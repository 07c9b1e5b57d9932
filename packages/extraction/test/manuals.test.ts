import { openArticleExtractor } from '@recollect/extraction';
import { afterAll, describe, expect, test } from 'vitest';

// A machine that runs other tests is slow: the limit is only for a fault.
const extractor = openArticleExtractor({ timeLimit: 120_000 });
afterAll(() => extractor.close());

const read = async (body: string) => {
  const html = `<!doctype html><html lang="en"><head><title>Lamps</title></head><body>${body}</body></html>`;
  return (await extractor.extract(html, 'https://lamps.example/manual/lighting.html')).text;
};
const PROSE =
  '<p>The lamps of the harbour were lit by hand for ninety years, each by its own keeper, who lived beside it.</p>';

describe('CAP-2: pages as generators of manuals write them', () => {
  test('docutils and Sphinx: references within a page, footnotes, boxes, and sections of any name', async () => {
    const text = await read(`<div class="document"><div class="body" role="main"><section id="wick-lighting">
<h1>Lighting a wick<a class="headerlink" href="#wick-lighting">¶</a></h1>
<aside class="topic"><p class="topic-title">Abstract</p><p>How a wick is trimmed, and why it smokes.</p></aside>
<p>Unlike <a class="reference internal" href="#wick.trim"><code class="xref"><span class="pre">trim()</span></code></a>, this burns.
<a class="footnote-reference brackets" href="#id2" id="id1" role="doc-noteref"><span class="fn-bracket">[</span>1<span class="fn-bracket">]</span></a></p>${PROSE}
<section id="registering-as-a-keeper"><h2>Registering as a keeper<a class="headerlink" href="#registering-as-a-keeper">¶</a></h2><p>Write to the harbour master, who keeps the list.</p></section>
<section id="cookie-age"><h2><a class="reference internal" href="#module-wick"><code class="xref py py-mod"><span class="pre">wick</span></code></a> and COOKIE_AGE<a class="headerlink" href="#cookie-age">¶</a></h2><p>Default: two weeks</p></section>
<section id="sponsors"><h2>Sponsors<a class="headerlink" href="#sponsors">¶</a></h2><p>A keeper without a lamp needs a sponsor.</p></section>
<aside class="footnote-list brackets"><aside class="footnote brackets" id="id2" role="note"><span class="label"><a role="doc-backlink" href="#id1">1</a></span><p>Only with whale oil.</p></aside></aside>
</section></div></div>`);
    for (const kept of [
      '## wick and COOKIE_AGE',
      '**Abstract**',
      'How a wick is trimmed',
      'Unlike `trim()`, this burns.',
      '## Registering as a keeper',
      'Write to the harbour master',
      'Default: two weeks',
      'needs a sponsor',
      'Only with whale oil',
    ])
      expect(text).toContain(kept);
    expect(text).not.toContain('¶');
  });

  test('rustdoc: signatures, without the links beside them', async () => {
    const item = (name: string) =>
      `<details class="toggle" open><summary><section id="method.${name}" class="method"><a class="src rightside" href="../src/lamp.rs.html#7">Source</a><h4 class="code-header">fn <a href="#method.${name}" class="fn">${name}</a>(&amp;self) -&gt; <a class="struct" href="struct.Lamp.html">Lamp</a></h4></section></summary><div class="docblock"><p>Gives a lamp.</p></div></details>`;
    const text = await read(`<div class="rustdoc struct"><main><section id="main-content" class="content">
<div class="main-heading"><h1>Struct <span class="struct">Lamp</span></h1><span class="sub-heading">1.0.0 · <a class="src" href="../src/lamp.rs.html">Source</a></span></div>
<details class="toggle top-doc" open><summary class="hideme"><span>Expand description</span></summary><div class="docblock">${PROSE}</div></details>
<h2 id="implementations">Implementations</h2>${item('lit')}${item('share')}</section></main></div>`);
    expect(text).toContain('fn lit(&self) -\\> Lamp');
    expect(text).toContain('fn share(&self)');
    expect(text).not.toMatch(/Source|Expand|1\.0\.0/);
  });

  test('rows of links to the pages around are left out', async () => {
    const text = await read(`<ul class="docnav"><li><a accesskey="p" href="a.html"><strong>Zurück</strong></a></li>
<li>Das Handbuch der Lampen</li><li><a accesskey="n" href="c.html">Weiter</a></li></ul>
<div class="section"><h2>Lighting</h2>${PROSE.repeat(3)}<p>The next lamp is <a href="c.html">the red one</a>.</p></div>
<div class="navfooter"><table><tr><td><a accesskey="u" href="i.html">Up</a></td><td>Chapter 4. Lamps</td></tr></table></div>
<p>Next: <a href="c.html" rel="next">Trimming</a>, Previous: <a href="a.html" rel="prev">Oil</a></p>`);
    expect(text).toContain('The lamps of the harbour');
    expect(text).toContain('The next lamp is [the red one](https://lamps.example/manual/c.html).');
    expect(text).not.toMatch(/Zurück|Handbuch|Weiter|Chapter 4|Trimming|Oil/);
  });

  test('a page with little more than a link to the next one keeps its text', async () => {
    expect(await read('<p>Part one of the story. <a rel="next" href="2.html">Part two</a></p>')).toContain('Part one');
  });

  test('an index in alphabetical order leads through its page only', async () => {
    const names = ['abs', 'any', 'bin', 'bool', 'chr', 'dict'].map((name) => `<a href="#${name}">${name}()</a><br>`);
    const text = await read(
      `<main><h1>Functions</h1><table><tr><td><b>A</b><p>${names.slice(0, 2).join('')}</p><b>B</b><p>${names.slice(2, 4).join('')}</p></td><td><b>C</b>${names[4]}<b>D</b>${names[5]}</td></tr></table>${PROSE.repeat(3)}</main>`,
    );
    expect(text).toContain('The lamps');
    expect(text).not.toMatch(/abs|\*\*A\*\*|\|/);
  });

  test('a listing with ten thousand coloured words is read with its lines and language', async () => {
    const line = (at: number) => `<b>let</b> <i>lamp${at}</i> = <a name="l${at}">${at}</a>;\n`;
    const lines = Array.from({ length: 4_000 }, (_, at) => line(at)).join('');
    const text = await read(`<main><h1>Lamps</h1>${PROSE}<pre class="language-rust">${lines}</pre></main>`);
    expect(text).toContain('```rust\nlet lamp0 = 0;\nlet lamp1 = 1;\n');
    expect(text).toContain('let lamp3999 = 3999;');
  });

  test('line numbers beside code, in any markup', async () => {
    const code = 'def light(wick):\n    return wick + 1';
    const [first, second] = code.split('\n');
    const numbers = '<pre><span></span>1\n2</pre>';
    const ways = {
      'MkDocs Material': `<div class="highlight"><table class="highlighttable"><tr><td class="linenos"><div class="linenodiv">${numbers}</div></td><td class="code"><div><pre><span></span><code>${code}\n</code></pre></div></td></tr></table></div>`,
      'with a title': `<table class="highlighttable"><tr><th colspan="2" class="filename"><span class="filename">lamp.py</span></th></tr><tr><td class="linenos"><div class="linenodiv">${numbers}</div></td><td class="code"><div><pre><code>${code}</code></pre></div></td></tr></table>`,
      'a column beside': `<pre><span class="gutter"><span class="line-number">1</span>\n<span class="line-number">2</span>\n</span><code>${code}</code></pre>`,
      'Sphinx, as a table': `<div class="highlight-python notranslate"><table class="highlighttable"><tbody><tr><td class="linenos">${numbers}</td><td class="code"><div class="highlight"><pre><span></span>${code}\n</pre></div></td></tr></tbody></table></div>`,
      'Pygments, inline': `<div class="highlight"><pre><span class="linenos">1</span>${first}\n<span class="linenos">2</span>${second}\n</pre></div>`,
      'Chroma, inline': `<div class="highlight"><pre class="chroma"><code><span class="line"><span class="ln">1</span><span class="cl">${first}\n</span></span><span class="line"><span class="ln">2</span><span class="cl">${second}\n</span></span></code></pre></div>`,
      SyntaxHighlighter: `<div class="syntaxhighlighter python"><table><tbody><tr><td class="gutter"><div class="line number1">1</div><div class="line number2">2</div></td><td class="code"><div class="container"><div class="line number1"><code class="keyword">def</code> <code class="plain">light(wick):</code></div><div class="line number2"><code class="spaces">&nbsp;&nbsp;&nbsp;&nbsp;</code><code class="keyword">return</code> <code class="plain">wick + 1</code></div></div></td></tr></tbody></table></div>`,
    };
    for (const [name, html] of Object.entries(ways)) {
      const text = await read(`<main><h1>Lamps</h1>${PROSE}${html}${PROSE}</main>`);
      expect([name, text]).toEqual([
        name,
        expect.stringMatching(/```\w*\ndef light\(wick\):\n {4}return wick \+ 1\n```/),
      ]);
      expect([name, text]).toEqual([name, expect.not.stringMatching(/^ *[12] *$/m)]);
    }
    const table = await read(`<main>${PROSE}<table><tr><td>1 2</td><td>two lamps</td></tr></table></main>`);
    expect(table).toContain('| 1 2 | two lamps |');
    // Numbers that count no lines, and code beside other text, do not change.
    for (const [html, ...kept] of [
      [
        `<table><tr><td>1</td><td><p>Trim the wick well.</p><pre>trim(wick)</pre><p>Then wait.</p></td></tr></table>`,
        'Trim the wick well.',
        'trim(wick)',
        'Then wait.',
      ],
      [
        `<table><tr><th>Step</th><th>What to do</th></tr><tr><td>1</td><td><pre>apt install lamp</pre></td></tr></table>`,
        'What to do',
        'apt install lamp',
      ],
      [`<table><tr><td>7</td><td><pre>wick = 1</pre></td></tr></table>`, '7', 'wick = 1'],
      [
        `<table><tr><td>1</td><td><p>Real words of it.</p><div class="line"></div><p>More words.</p></td></tr></table>`,
        'Real words of it.',
        'More words.',
      ],
      [`<pre><code class="line-numbers">42</code></pre>`, '42'],
      [`<pre><code>x = <span class="ln">10</span> + <span class="ln">7</span></code></pre>`, 'x = 10 + 7'],
    ]) {
      const text = await read(`<main>${PROSE}${html}${PROSE}</main>`);
      for (const words of kept) expect([html, text]).toEqual([html, expect.stringContaining(words)]);
    }
  });

  test('exponents get a caret after their number, and footnotes, ordinals and abbreviations do not', async () => {
    const text =
      await read(`<main>${PROSE}<p>The lamp weighs 5.97×10<sup>24</sup> kg and has 10<sup>−6</sup> m<sup>2</sup>, so <i>x</i><sup>n+1</sup>
and <i>y</i><sup>k</sup> and 2<sup>n</sup>. Then x<sup>2n</sup>, (a+b)<sup>n+1</sup>, 2<sup>N</sup>, <i>A</i><sup>T</sup>, <i>e</i><sup>−λt</sup>. On the 1<sup>st</sup> of May, 1<sup>ère</sup>, 2<sup>nde</sup>, Lamp 11<sup>TM</sup>, $9<sup>99</sup>, $<b>1,646</b><sup>.00</sup>, <i>E. coli</i><sup>a</sup>, 10<sup>h</sup>30, M<sup>me</sup> Curie, n<sup>o</sup> 5, came<sup><a href="#n1">[1]</a></sup>.</p>${PROSE}</main>`);
    for (const kept of [
      '5.97×10^24 kg',
      '10^−6 m^2',
      '^(n+1)',
      '^k',
      '2^n',
      'x^2n',
      ')^(n+1)',
      '2^N',
      '*A*^T',
      '*e*^−λt',
      '1st of May',
      '1ère',
      '2nde',
      'Lamp 11TM',
      '$999',
      '**1,646**.00',
      '10h30',
      'Mme Curie',
      'no 5',
    ])
      expect(text).toContain(kept);
    expect(text).not.toContain('came^');
  });

  test('code within a link or a task stays code', async () => {
    const text = await read(
      `<main>${PROSE}<p><a href="https://lamps.example/x"><pre>trim --all</pre></a></p><ul><li><input type="checkbox" checked><pre>npm install lamp</pre></li></ul>${PROSE}</main>`,
    );
    expect(text).toContain('trim --all');
    expect(text).toContain('npm install lamp');
    expect(text).not.toMatch(/[\ue000\ue001]/);
  });
});
