/** What TeX writes between the parts of an element of MathML; of others the parts stand one after the other. */
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

/** A formula of a page that brings no TeX along: enough of it that no exponent becomes a factor. */
export function mathToTex(element: Element): string {
  const name = element.localName;
  if (name === 'annotation' || name === 'annotation-xml') return '';
  const parts = [...element.children].map(mathToTex);
  if (parts.length === 0) return (element.textContent ?? '').trim();
  // A page may name an element after what every object has, such as `constructor`.
  const write = Object.hasOwn(FORMS, name) ? FORMS[name] : undefined;
  return write?.(parts) ?? parts.join('');
}
