import { parseSync } from 'oxc-parser';

/** Functions whose first argument is a test title. The conformance suite registers its cases with `check`. */
const TEST_FUNCTIONS = ['test', 'it', 'check'];

export interface TestTitle {
  title: string;
  /** Whether only the long suite runs the test. */
  isLong: boolean;
}

/** The test titles in a file, read from its syntax tree, so that comments and other strings do not count. */
export function readTitles(path: string, source: string): TestTitle[] {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed.`);
  const isLong = path.endsWith('.long.test.ts');
  return titlesIn(program).map((found) => ({ ...found, isLong: isLong || found.isLong }));
}

function titlesIn(node: unknown): TestTitle[] {
  if (Array.isArray(node)) return node.flatMap(titlesIn);
  if (typeof node !== 'object' || node === null) return [];
  const {
    type,
    callee,
    arguments: given,
  } = node as { type?: string; callee?: Callee; arguments?: (Options & { value?: unknown })[] };
  const title = type === 'CallExpression' && TEST_FUNCTIONS.includes(nameOf(callee)) ? given?.[0]?.value : undefined;
  const own = typeof title === 'string' ? [{ title, isLong: hasTag(given?.[1], 'long') }] : [];
  return [...own, ...Object.values(node).flatMap(titlesIn)];
}

interface Callee {
  name?: string;
  /** In `test.skipIf(condition)(title, …)`: the call that returns the function, and its member. */
  callee?: { object?: Callee };
}

/** In `test(title, { tags: 'long' }, …)`: the second argument. */
interface Options {
  properties?: { key?: { name?: string }; value?: { value?: unknown } }[];
}

function hasTag(options: Options | undefined, tag: string): boolean {
  return options?.properties?.some(({ key, value }) => key?.name === 'tags' && value?.value === tag) ?? false;
}

function nameOf(callee: Callee | undefined): string {
  return callee?.name ?? callee?.callee?.object?.name ?? '';
}
