import { mathToTex } from './math-to-tex.js';

/** Scripts of MathJax 2 contain the source of the formula that is drawn before them. */
const SCRIPT = 'script[type^="math/"]';
/** Formulas as MathJax 2, 3 and 4, KaTeX, GitHub and MediaWiki render them, and pictures of formulas. */
const RENDERED = [
  'mjx-container, math-renderer, math',
  '.MathJax_Display, .MathJax_SVG_Display, .MathJax_PHTML_Display, .MJXc-display',
  'span.MathJax, span.MathJax_SVG, span.MathJax_CHTML, span.MathJax_PHTML, span.MathJax_MathML, span.mjx-chtml',
  'span.katex-display, span.katex',
  '.mwe-math-element, img[class*="mwe-math-fallback"], img.tex, img.latex',
  'span[data-latex], div[data-latex], span[data-tex], [class*="math"][data-math]',
].join();
/** Elements that may contain nothing but TeX between delimiters, as pages send it before a script renders it. */
const DELIMITED = 'math-renderer, .math, .math-container, .arithmatex';
const DELIMITERS = [
  ['$$', '$$'],
  ['\\[', '\\]'],
  ['\\(', '\\)'],
  ['$`', '`$'],
  ['$', '$'],
] as const;
/** Attributes with the source. MathJax 4 gives them to each part of a formula, so only the whole one's counts. */
const SOURCES = ['data-latex', 'data-tex', 'data-math'];
const WHOLE = 'mjx-math[data-latex], [data-mml-node="math"][data-latex], math[data-latex]';
const TEX_ANNOTATION = 'annotation[encoding="application/x-tex"], annotation[encoding="TeX"]';
const DISPLAYED = [
  'mjx-container[display="true"], mjx-container[display="block"], math[display="block"], .js-display-math',
  '.MathJax_Display, .MathJax_SVG_Display, .MathJax_PHTML_Display, .MJXc-display, .katex-display',
  '.mwe-math-mathml-display, .mwe-math-fallback-image-display, .math-display, .math-block',
].join();
/** Glyphs of MathJax, which are known by their code points where style sheets or paths draw them. */
const GLYPHS = 'mjx-c, mjx-utext, [data-c], use, text';
const CODE_POINT = /(?:^|-c|-)([0-9A-F]{2,5})$/;
/** Zero-width spaces, and the operators of formulas that no one sees. */
const INVISIBLE = /[\u200b\u2060-\u2064]/g;

/**
 * Replaces each formula, in any of the ways in which pages write and render it, with a `math` element that has its TeX
 * as `data-latex`; or with its visible letters, if the page has no source of it.
 */
export function readFormulas(root: ParentNode): void {
  for (const script of root.querySelectorAll(SCRIPT)) readScript(script);
  const read = new Set<Element>();
  for (const element of root.querySelectorAll(RENDERED)) {
    if (read.has(element)) continue;
    for (const inner of element.querySelectorAll(RENDERED)) read.add(inner);
    readRendered(element);
  }
  for (const element of root.querySelectorAll(DELIMITED)) {
    const tex = element.firstElementChild === null ? withoutDelimiters(element.textContent ?? '') : null;
    if (tex !== null) replace(element, tex.text, tex.isBlock || element.matches(DISPLAYED));
  }
}

/** A formula that {@link readFormulas} has read, as Markdown. */
export function writeFormula(formula: Element): string {
  const tex = unwrapStyle((formula.getAttribute('data-latex') ?? '').replace(/\s+/g, ' ').trim());
  if (tex === '') return '';
  return formula.getAttribute('display') === 'block' ? `\n\n$$${tex}$$\n\n` : `$${tex}$`;
}

/** The output of MathJax 2 precedes its script. */
function readScript(script: Element): void {
  const type = script.getAttribute('type') ?? '';
  const text = script.textContent ?? '';
  for (let before = previousElement(script); before?.matches(`${RENDERED}, .MathJax_Preview`); ) {
    const drawn = before;
    before = drawn.matches('.MathJax_Preview') ? null : previousElement(drawn);
    drawn.remove();
  }
  const tex = type.startsWith('math/mml') ? texOfMarkup(script, text) : text;
  replace(script, tex ?? '', /mode=display/.test(type));
}

/** The element directly before another one, with no words between them. */
function previousElement(element: Element): Element | null {
  let node = element.previousSibling;
  while (node !== null && node.nodeType === TEXT && (node.nodeValue ?? '').trim() === '') node = node.previousSibling;
  return node === element.previousElementSibling ? element.previousElementSibling : null;
}

const TEXT = 3;

function readRendered(element: Element): void {
  const isBlock = element.matches(DISPLAYED) || element.querySelector(DISPLAYED) !== null;
  const tex = sourceOf(element);
  if (tex !== null) {
    const preview = element.previousElementSibling;
    if (preview?.matches('.MathJax_Preview')) preview.remove();
    replace(element, tex, isBlock);
    return;
  }
  // The text of GitHub's element is read as delimited TeX.
  if (element.localName === 'math-renderer' && element.firstElementChild === null) return;
  const letters = lettersOf(element);
  if (letters === '') return;
  const shown = element.ownerDocument.createElement(isBlock ? 'div' : 'span');
  shown.textContent = letters;
  element.replaceWith(shown);
}

function sourceOf(element: Element): string | null {
  const whole = element.querySelector(WHOLE);
  const formula = element.localName === 'math' ? element : element.querySelector('math');
  const markup =
    element.getAttribute('data-mathml') ?? element.querySelector('[data-mathml]')?.getAttribute('data-mathml');
  const picture = element.localName === 'img' ? element : element.querySelector('img[class*="mwe-math-fallback"]');
  const candidates = [
    () => SOURCES.map((name) => element.getAttribute(name)).find((tex) => tex !== null),
    () => whole?.getAttribute('data-latex'),
    () => element.querySelector(TEX_ANNOTATION)?.textContent,
    () => formula?.getAttribute('alttext'),
    () => (formula === null ? null : mathToTex(formula)),
    () => (markup == null ? null : texOfMarkup(element, markup)),
    () => picture?.getAttribute('alt'),
  ];
  for (const read of candidates) {
    const tex = (read() ?? '').trim();
    if (tex !== '') return tex;
  }
  return null;
}

/** TeX of MathML that is written in an attribute or a script. */
function texOfMarkup({ ownerDocument }: Element, markup: string): string | null {
  const parsed = ownerDocument.createElement('div');
  parsed.innerHTML = markup;
  const formula = parsed.querySelector('math');
  return formula === null ? null : (formula.querySelector(TEX_ANNOTATION)?.textContent ?? mathToTex(formula));
}

function lettersOf(element: Element): string {
  const glyphs = [...element.querySelectorAll(GLYPHS)].map(letterOf).join('');
  const letters = glyphs === '' ? (element.textContent ?? '') : glyphs;
  return letters.replace(INVISIBLE, '').replace(/\s+/g, ' ').trim();
}

function letterOf(glyph: Element): string {
  const text = glyph.textContent ?? '';
  if (text !== '') return text.normalize('NFKC');
  const names = [
    glyph.getAttribute('data-c'),
    glyph.getAttribute('class')?.split(' ')[0],
    glyph.getAttribute('xlink:href'),
  ];
  for (const name of names) {
    const [, code] = CODE_POINT.exec(name ?? '') ?? [];
    if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16)).normalize('NFKC');
  }
  return '';
}

function withoutDelimiters(text: string): { text: string; isBlock: boolean } | null {
  const whole = text.trim();
  const pair = DELIMITERS.find(
    ([open, close]) => whole.length > open.length + close.length && whole.startsWith(open) && whole.endsWith(close),
  );
  if (pair === undefined) return null;
  const [open, close] = pair;
  const tex = whole.slice(open.length, -close.length);
  // Several formulas in one element, or two prices.
  if (tex.includes(open) && open !== '$`') return null;
  return { text: tex, isBlock: open === '$$' || open === '\\[' };
}

function replace(element: Element, tex: string, isBlock: boolean): void {
  const formula = element.ownerDocument.createElement('math');
  formula.setAttribute('display', isBlock ? 'block' : 'inline');
  formula.setAttribute('data-latex', tex.trim());
  formula.textContent = tex.trim();
  element.replaceWith(formula);
}

/** Removes the style that MediaWiki puts around each formula: `{\displaystyle E=mc^{2}}`. */
function unwrapStyle(tex: string): string {
  const [, inner] = /^\{\\(?:display|text|script)style (.*)\}$/s.exec(tex) ?? [];
  if (inner === undefined) return tex;
  let depth = 0;
  for (const character of inner) {
    if (character === '{') depth++;
    else if (character === '}' && --depth < 0) return tex;
  }
  return inner.trim();
}
