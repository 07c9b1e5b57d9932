/** The TeX forms of MathML elements. The parts of other elements are joined. */
const FORMS: Readonly<Record<string, (parts: readonly string[]) => string>> = {
  msup: ([base = '', up = '']) => `${base}^{${up}}`,
  msub: ([base = '', down = '']) => `${base}_{${down}}`,
  msubsup: ([base = '', down = '', up = '']) => `${base}_{${down}}^{${up}}`,
  munder: ([base = '', down = '']) => `${base}_{${down}}`,
  mover: ([base = '', up = '']) => `${base}^{${up}}`,
  munderover: ([base = '', down = '', up = '']) => `${base}_{${down}}^{${up}}`,
  mfrac: ([above = '', below = '']) => `\\frac{${above}}{${below}}`,
  msqrt: (parts) => `\\sqrt{${parts.join('')}}`,
  mroot: ([base = '', root = '']) => `\\sqrt[${root}]{${base}}`,
  mtr: (parts) => `${parts.join(' & ')} \\\\ `,
};

/** Operators without a sign, such as the one between a function and its argument. */
const INVISIBLE = /[\u2061-\u2064]/g;

/** Converts MathML on pages that do not include TeX. It covers enough that no exponent turns into a factor. */
export function mathToTex(element: Element): string {
  const name = element.localName;
  if (name === 'annotation' || name === 'annotation-xml') return '';
  const parts = [...element.children].map(mathToTex);
  if (parts.length === 0) return (element.textContent ?? '').replace(INVISIBLE, '').trim();
  // A page may name an element after a property that every object has, such as `constructor`.
  const write = Object.hasOwn(FORMS, name) ? FORMS[name] : undefined;
  return write?.(parts) ?? parts.join('');
}
