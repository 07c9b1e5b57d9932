import { parseSync } from 'oxc-parser';

/** The prose of a file as Markdown. */
export interface Prose {
  markdown: string;
  /** For each line of it: the line of the file, counted from 1. */
  lines: readonly number[];
}

interface Piece {
  start: number;
  text: string;
}

/** Reads comments, the titles of tests and, outside of tests, strings and JSX text from TypeScript or JavaScript. */
export function readProse(path: string, source: string): Prose {
  const { comments, program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed.`);
  const isTest = /\/(?:test|testing|bench)\//.test(path);
  const pieces = [
    ...comments.map(({ start, value }) => ({ start, text: withoutCode(value) })),
    ...stringsIn(program, isTest),
  ];
  const markdown: string[] = [];
  const lines: number[] = [];
  const startOf = lineCounter(source);
  let last = { line: -1, isLine: false };
  for (const { start, text } of pieces.toSorted((a, b) => a.start - b.start)) {
    const first = startOf(start);
    const isLine = source.startsWith('//', start);
    // Line comments below each other are one text.
    if (!(isLine && last.isLine && first === last.line + 1)) {
      markdown.push('');
      lines.push(first);
    }
    for (const [index, line] of text.split('\n').entries()) {
      markdown.push(line.replace(/^\s*(?:\*(?: |$))?\s*/, ''));
      lines.push(first + index);
    }
    last = { line: first, isLine };
  }
  return { markdown: markdown.join('\n'), lines };
}

/** Blanks the code of an `@example`, up to the next tag. */
const withoutCode = (comment: string) =>
  comment.replace(/@example[\s\S]*?(?=\n\s*\* @|$)/g, (code) => code.replace(/[^\n]/g, ''));

/** The functions whose first argument is the title of a test. */
const TITLED = /^(?:test|it|describe|check)$/;

interface Node {
  type?: string;
  start: number;
  value?: unknown;
  callee?: { name?: string; object?: { name?: string }; callee?: { object?: { name?: string } } };
  arguments?: unknown[];
  quasis?: { start: number; value: { cooked?: string } }[];
}

/** Every string of at least three words, or in a test only titles. */
function stringsIn(node: unknown, onlyTitles: boolean): Piece[] {
  if (Array.isArray(node)) return node.flatMap((child) => stringsIn(child, onlyTitles));
  if (typeof node !== 'object' || node === null) return [];
  const { type, start, value, callee, arguments: given, quasis } = node as Node;
  const isTitled = TITLED.test(callee?.name ?? callee?.object?.name ?? callee?.callee?.object?.name ?? '');
  if (onlyTitles && type === 'CallExpression' && isTitled)
    return [...stringsIn(given?.[0], false), ...stringsIn(given?.slice(1), true)];
  const own: Piece[] = [];
  if (!onlyTitles) {
    if ((type === 'Literal' || type === 'JSXText') && typeof value === 'string') own.push({ start, text: value });
    for (const quasi of quasis ?? []) own.push({ start: quasi.start, text: quasi.value.cooked ?? '' });
  }
  return [
    ...own.filter(({ text }) => /[a-z,] [a-z]+ [a-z]/i.test(text)),
    ...Object.values(node).flatMap((child) => stringsIn(child, onlyTitles)),
  ];
}

/** Returns the line of a place, counted from 1. */
function lineCounter(source: string): (place: number) => number {
  let [place, line] = [0, 1];
  return (next) => {
    for (; place < next; place++) if (source[place] === '\n') line += 1;
    return line;
  };
}
