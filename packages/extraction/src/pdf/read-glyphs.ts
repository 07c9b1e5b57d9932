import type { PDFPageProxy } from 'pdfjs-dist/types/src/display/api.js';

/** A letter where a page draws it, in the order of drawing. Places are in points. */
export interface Glyph {
  text: string;
  isSpace: boolean;
  x: number;
  y: number;
  /** Space between the glyph before it and itself, along the line, as a share of the size of the font. */
  gap: number;
}

/** How PDF.js describes a glyph. Between glyphs, it gives numbers by which they are moved together. */
interface DrawnGlyph {
  unicode?: string;
  width?: number;
  isSpace?: boolean;
}

type Matrix = readonly [number, number, number, number, number, number];
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** Widths and moves of glyphs are in thousandths of the size of the font. */
const UNITS = 1_000;

interface State {
  /** From the page's own coordinates. */
  transform: Matrix;
  size: number;
  letterSpacing: number;
  wordSpacing: number;
  scale: number;
  leading: number;
}

/** Reads the position of each letter of a page: the library's text lacks the widths of gaps. */
export async function readGlyphs(page: PDFPageProxy, ops: Readonly<Record<string, number>>): Promise<Glyph[]> {
  const { fnArray, argsArray } = await page.getOperatorList();
  const glyphs: Glyph[] = [];
  const saved: State[] = [];
  let state: State = { transform: IDENTITY, size: 1, letterSpacing: 0, wordSpacing: 0, scale: 1, leading: 0 };
  let line = IDENTITY;
  let text = IDENTITY;
  let end = { x: Number.NaN, y: Number.NaN };
  const startLine = (x: number, y: number) => {
    line = multiply(line, [1, 0, 0, 1, x, y]);
    text = line;
  };
  const move = (x: number) => {
    text = multiply(text, [1, 0, 0, 1, x * state.scale, 0]);
  };
  const draw = ({ unicode = '', width = 0, isSpace = false }: DrawnGlyph) => {
    const [a, b, , , x, y] = multiply(state.transform, text);
    const stretch = Math.hypot(a, b) || 1;
    const gap = ((x - end.x) * a + (y - end.y) * b) / (stretch * stretch * state.size || 1);
    glyphs.push({ text: unicode, isSpace, x, y, gap });
    const advance = (width / UNITS) * state.size;
    const [, , , , endX, endY] = multiply(multiply(state.transform, text), [1, 0, 0, 1, advance * state.scale, 0]);
    end = { x: endX, y: endY };
    move(advance + state.letterSpacing + (isSpace ? state.wordSpacing : 0));
  };
  const show = (drawn: readonly (DrawnGlyph | number | null)[]) => {
    for (const one of drawn) {
      if (typeof one === 'number') move((-one / UNITS) * state.size);
      else if (one !== null) draw(one);
    }
  };

  // Arguments are as the operators of the format define them.
  // biome-ignore lint/suspicious/noExplicitAny: the library types them as any.
  const handlers: Readonly<Record<string, (args: any) => void>> = {
    save: () => saved.push(state),
    restore: () => {
      state = saved.pop() ?? state;
    },
    transform: (matrix: Matrix) => {
      state = { ...state, transform: multiply(state.transform, matrix) };
    },
    paintFormXObjectBegin: ([matrix]: [Matrix | null]) => {
      saved.push(state);
      if (matrix !== null) state = { ...state, transform: multiply(state.transform, matrix) };
    },
    paintFormXObjectEnd: () => {
      state = saved.pop() ?? state;
    },
    beginText: () => {
      line = IDENTITY;
      text = IDENTITY;
    },
    setFont: ([, size]: [string, number]) => {
      state = { ...state, size };
    },
    setCharSpacing: ([letterSpacing]: [number]) => {
      state = { ...state, letterSpacing };
    },
    setWordSpacing: ([wordSpacing]: [number]) => {
      state = { ...state, wordSpacing };
    },
    setHScale: ([percent]: [number]) => {
      state = { ...state, scale: percent / 100 };
    },
    setLeading: ([leading]: [number]) => {
      state = { ...state, leading };
    },
    moveText: ([x, y]: [number, number]) => startLine(x, y),
    setLeadingMoveText: ([x, y]: [number, number]) => {
      state = { ...state, leading: -y };
      startLine(x, y);
    },
    setTextMatrix: (args: Matrix | [Matrix]) => {
      line = (args.length === 1 ? Array.from(args[0]) : args) as unknown as Matrix;
      text = line;
    },
    nextLine: () => startLine(0, -state.leading),
    showText: ([drawn]: [readonly (DrawnGlyph | number | null)[]]) => show(drawn),
  };
  const byNumber = new Map(Object.entries(handlers).map(([name, handle]) => [ops[name], handle]));
  for (const [at, operator] of fnArray.entries()) byNumber.get(operator)?.(argsArray[at]);
  return glyphs;
}

function multiply([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}
