import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** The code of an `@example`, and the module that it documents. */
export interface Example {
  /** The path of the module, from the root of the workspace. */
  path: string;
  line: number;
  code: string;
}

const COMMENT = /\/\*\*[\s\S]*?\*\//g;

/** Reads the examples in the docstrings of all packages and applications. */
export function readExamples(root: string): Example[] {
  const paths = globSync('{packages,apps}/*/src/**/*.{ts,tsx}', { cwd: root }).map((path) =>
    path.replaceAll('\\', '/'),
  );
  return paths.toSorted().flatMap((path) => examplesIn(readFileSync(join(root, path), 'utf8'), path));
}

function examplesIn(source: string, path: string): Example[] {
  return [...source.matchAll(COMMENT)].flatMap(({ 0: comment, index }) => {
    const lines = comment
      .slice(0, -'*/'.length)
      .split('\n')
      .map((text) => text.replace(/^\s*\* ?/, ''));
    const start = lines.findIndex((text) => text.startsWith('@example'));
    if (start < 0) return [];
    const rest = lines.slice(start + 1);
    const end = rest.findIndex((text) => text.startsWith('@'));
    const line = source.slice(0, index).split('\n').length + start;
    return [
      {
        path,
        line,
        code: rest
          .slice(0, end < 0 ? undefined : end)
          .join('\n')
          .trim(),
      },
    ];
  });
}

/**
 * A module that compiles if its examples do: each is a function that sees what the documented module exports. `context`
 * declares the other names, each by its type.
 *
 * @param options.from the folder of the new module, from the root of the workspace
 * @param options.module the documented module, or its declarations, from there too and without its ending
 */
export function toModule(
  examples: readonly Example[],
  exported: readonly string[],
  { from, module, context }: { from: string; module: string; context: Readonly<Record<string, string>> },
): string {
  const [{ path = '' } = {}] = examples;
  const used = (name: string) =>
    examples.some(({ code }) => new RegExp(`(?<![\\w$]|(?<!\\.\\.)\\.)${name}\\b`).test(code));
  const own = exported.filter(used);
  return [
    ...(own.length === 0 ? [] : [`import { ${own.join(', ')} } from '${posix.relative(from, module)}.js';`]),
    ...Object.entries(context)
      .filter(([name]) => !own.includes(name) && used(name))
      .map(([name, type]) => `declare const ${name}: ${type};`),
    ...examples.map(
      ({ line, code }) =>
        `// ${path}:${line}\nexport async function example${line}() {\n${code.replace(/^export default /m, 'void ')}\n}`,
    ),
    '',
  ].join('\n');
}

/** The names of what a module exports by declarations. */
export function exportedNames(source: string): string[] {
  const declaration = /^export (?:async )?(?:abstract )?(?:function\*?|const|class|enum|interface|type) (\w+)/gm;
  return [...new Set([...source.matchAll(declaration)].map(([, name = '']) => name))];
}
