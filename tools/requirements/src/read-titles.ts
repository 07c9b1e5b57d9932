import { parseSync } from 'oxc-parser';

/** Functions whose first argument is a test title. The conformance suite registers its cases with `check`. */
const TEST_FUNCTIONS = ['test', 'it', 'check'];

/** The test titles in a file, read from its syntax tree, so that comments and other strings do not count. */
export function readTitles(path: string, source: string): string[] {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed.`);
  return titlesIn(program);
}

function titlesIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(titlesIn);
  if (typeof node !== 'object' || node === null) return [];
  const {
    type,
    callee,
    arguments: given,
  } = node as { type?: string; callee?: Callee; arguments?: { value?: unknown }[] };
  const title = type === 'CallExpression' && TEST_FUNCTIONS.includes(nameOf(callee)) ? given?.[0]?.value : undefined;
  const own = typeof title === 'string' ? [title] : [];
  return [...own, ...Object.values(node).flatMap(titlesIn)];
}

interface Callee {
  name?: string;
  /** In `test.skipIf(condition)(title, …)`: the call that returns the function, and its member. */
  callee?: { object?: Callee };
}

function nameOf(callee: Callee | undefined): string {
  return callee?.name ?? callee?.callee?.object?.name ?? '';
}
