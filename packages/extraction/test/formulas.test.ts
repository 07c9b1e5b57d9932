import { openArticleExtractor } from '@recollect/extraction';
import { afterAll, describe, expect, test } from 'vitest';

// The limit is only for a fault: the machine may run other tests.
const extractor = openArticleExtractor({ timeLimit: 120_000 });
afterAll(() => extractor.close());

const PROSE =
  '<p>The keeper of each lamp knew its flame, and wrote down what it burned on every night of the year.</p>';
const mathml = (inner: string, attributes = '') =>
  `<math xmlns="http://www.w3.org/1998/Math/MathML"${attributes}>${inner}</math>`;
const SQUARE = '<mi>r</mi><mo>=</mo><msup><mi>s</mi><mn>2</mn></msup>';
const GLYPHS =
  '<mjx-math class="MJX-TEX" aria-hidden="true"><mjx-mi><mjx-c class="mjx-c1D45F TEX-I"></mjx-c></mjx-mi></mjx-math>';
const tex = (source: string) => `<annotation encoding="application/x-tex">${source}</annotation>`;
const SCRIPT_2 = '<script type="math/tex" id="MathJax-Element-1">r=s^2</script>';
const PREVIEW_2 = '<span class="MathJax_Preview" style="color: inherit;"></span>';

/** Formulas within a line, as products render them, and the saved text. */
const INLINE: readonly [string, string, string][] = [
  [
    'MathJax 3 with assistive MathML',
    `<mjx-container class="MathJax" jax="CHTML">${GLYPHS}<mjx-assistive-mml display="inline">${mathml(SQUARE)}</mjx-assistive-mml></mjx-container>`,
    '$r=s^{2}$',
  ],
  [
    'MathJax 3 in SVG',
    `<mjx-container class="MathJax" jax="SVG"><svg><g data-mml-node="math"><g data-mml-node="mi"><use data-c="1D45F"></use></g></g></svg><mjx-assistive-mml>${mathml(SQUARE)}</mjx-assistive-mml></mjx-container>`,
    '$r=s^{2}$',
  ],
  [
    'MathJax 4, which records the source of the whole and of each part',
    '<mjx-container class="MathJax" jax="CHTML"><mjx-math data-latex="r = s^2"><mjx-mi data-latex="r"><mjx-c class="mjx-c1D45F">𝑟</mjx-c></mjx-mi></mjx-math><mjx-speech aria-label="r equals"></mjx-speech></mjx-container>',
    '$r = s^2$',
  ],
  [
    'MathJax 4 in SVG',
    '<mjx-container class="MathJax" jax="SVG"><svg><g data-mml-node="math" data-latex="r=s"><g data-mml-node="mi" data-latex="r"><use data-c="1D45F"></use></g></g></svg></mjx-container>',
    '$r=s$',
  ],
  [
    'MathJax without a source, in glyphs of a style sheet',
    `<mjx-container class="MathJax" jax="CHTML">${GLYPHS}</mjx-container>`,
    'r',
  ],
  [
    'MathJax without a source, in paths',
    '<mjx-container class="MathJax" jax="SVG"><svg><defs><path id="MJX-1-TEX-I-1D45F" d="M0 0"></path></defs><g data-mml-node="math"><use data-c="1D45F" xlink:href="#MJX-1-TEX-I-1D45F"></use><use data-c="3D" xlink:href="#MJX-1-TEX-N-3D"></use></g></svg></mjx-container>',
    'r=',
  ],
  [
    'MathJax 2 in HTML',
    `${PREVIEW_2}<span class="MathJax" id="MathJax-Element-1-Frame"><nobr><span class="math"><span class="mi">r</span>=<span class="mi">s</span></span></nobr></span>${SCRIPT_2}`,
    '$r=s^2$',
  ],
  [
    'MathJax 2 in SVG',
    `${PREVIEW_2}<span class="MathJax_SVG" id="MathJax-Element-1-Frame"><svg><use xlink:href="#MJMATHI-72"></use></svg></span>${SCRIPT_2}`,
    '$r=s^2$',
  ],
  ['MathJax 2 before it has run', `<span class="MathJax_Preview">[math]</span>${SCRIPT_2}`, '$r=s^2$'],
  [
    'MathJax 2 whose scripts were removed',
    `${PREVIEW_2}<span class="MathJax" data-mathml="${mathml(SQUARE).replaceAll('"', '&quot;')}"><nobr><span class="math">rs2</span></nobr></span>`,
    '$r=s^{2}$',
  ],
  [
    'KaTeX',
    `<span class="katex"><span class="katex-mathml">${mathml(`<semantics><mrow>${SQUARE}</mrow>${tex('r=s^2')}</semantics>`)}</span><span class="katex-html" aria-hidden="true">rs2</span></span>`,
    '$r=s^2$',
  ],
  [
    'KaTeX as HTML only',
    '<span class="katex"><span class="katex-html" aria-hidden="true"><span class="base"><span class="mord mathnormal">r</span><span class="mrel">=</span><span class="mord mathnormal">s</span><span class="vlist-s">\u200b</span></span></span></span>',
    'r=s',
  ],
  [
    'GitHub before it has run',
    '<math-renderer class="js-inline-math" style="display: inline-block">$\\frac{r}{s}\\\\t$</math-renderer>',
    '$\\frac{r}{s}\\\\t$',
  ],
  [
    'GitHub in a browser',
    `<math-renderer class="js-inline-math" style="display: inline-block"><mjx-container jax="CHTML">${GLYPHS}<mjx-assistive-mml>${mathml(SQUARE)}</mjx-assistive-mml></mjx-container></math-renderer>`,
    '$r=s^{2}$',
  ],
  [
    'Wikipedia',
    `<span class="mwe-math-element"><span class="mwe-math-mathml-inline mwe-math-mathml-a11y" style="display: none;">${mathml(`<semantics><mrow>${SQUARE}</mrow>${tex('{\\displaystyle r=s^{2}}')}</semantics>`, ' alttext="{\\displaystyle r=s^{2}}"')}</span><img src="/r.svg" class="mwe-math-fallback-image-inline" aria-hidden="true" alt="{\\displaystyle r=s^{2}}"></span>`,
    '$r=s^{2}$',
  ],
  ['MathML', mathml(SQUARE), '$r=s^{2}$'],
  ['Pandoc', '<span class="math inline">\\(r=s^2\\)</span>', '$r=s^2$'],
  ['Stack Exchange', '<span class="math-container">$r=s_1$</span>', '$r=s_1$'],
];

/** The same in a block. */
const BLOCKS: readonly [string, string, string][] = [
  [
    'MathJax 3',
    `<mjx-container class="MathJax" jax="CHTML" display="true">${GLYPHS}<mjx-assistive-mml display="block">${mathml(SQUARE, ' display="block"')}</mjx-assistive-mml></mjx-container>`,
    '$$r=s^{2}$$',
  ],
  [
    'MathJax 2',
    `${PREVIEW_2}<div class="MathJax_Display"><span class="MathJax"><nobr><span class="math">rs2</span></nobr></span></div><script type="math/tex; mode=display">r=s^2</script>`,
    '$$r=s^2$$',
  ],
  [
    'KaTeX',
    `<span class="katex-display"><span class="katex"><span class="katex-mathml">${mathml(`<semantics><mrow>${SQUARE}</mrow>${tex('r=s^2')}</semantics>`)}</span><span class="katex-html">rs2</span></span></span>`,
    '$$r=s^2$$',
  ],
  [
    'GitHub',
    '<math-renderer class="js-display-math" style="display: block">$$r = s^2$$</math-renderer>',
    '$$r = s^2$$',
  ],
];

const page = (lines: readonly string[]) =>
  `<html><head><title>Flames</title></head><body><article><h1>Flames</h1>${PROSE.repeat(3)}${lines.join('\n')}${PROSE}</article></body></html>`;

describe('formulas', () => {
  test('CAP-2: keeps formulas within their sentence, with their TeX or else their letters', async () => {
    const lines = INLINE.map(([, html], place) => `<p>Line ${place} says that ${html} holds, and (${html}), too.</p>`);
    const { text } = await extractor.extract(page(lines), 'https://flames.example/');
    for (const [place, [name, , saved]] of INLINE.entries())
      expect(text, name).toContain(`Line ${place} says that ${saved} holds, and (${saved}), too.`);
  });

  test('CAP-2: keeps formulas in blocks apart from the text around them', async () => {
    const lines = BLOCKS.map(
      ([, html], place) => `<p>Block ${place} says that</p><div>${html}</div><p>holds ${place}.</p>`,
    );
    const { text } = await extractor.extract(page(lines), 'https://flames.example/');
    for (const [place, [name, , saved]] of BLOCKS.entries())
      expect(text, name).toContain(`Block ${place} says that\n\n${saved}\n\nholds ${place}.`);
  });

  test('CAP-2: does not change prices and code', async () => {
    const lines = [
      '<p>One costs <span class="math">$5 or $6</span> today.</p>',
      '<pre><code>price = "$5$"</code></pre>',
    ];
    const { text } = await extractor.extract(page(lines), 'https://flames.example/');
    expect(text).toContain('One costs $5 or $6 today.');
    expect(text).toContain('price = "$5$"');
  });
});
