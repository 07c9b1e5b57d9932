import type { Compilable, CompiledQuery } from 'kysely';

/** SQL with the values of its placeholders. */
export interface Statement {
  sql: string;
  parameters: readonly unknown[];
}

/**
 * Makes a function that gives a statement with its values. Building and compiling a statement takes longer than running
 * most of them, so that happens once.
 *
 * @param build binds the values as parameters, and does nothing else with them: it gets placeholders
 */
export function compileOnce<Values extends object>(
  build: (values: Values) => Compilable,
): (values: Values) => Statement {
  const names = new Map<unknown, keyof Values>();
  const placeholders = new Proxy({} as Values, {
    get(_, name) {
      const placeholder = {};
      names.set(placeholder, name as keyof Values);
      return placeholder;
    },
  });
  let compiled: CompiledQuery | undefined;
  return (values) => {
    compiled ??= build(placeholders).compile();
    const parameters = compiled.parameters.map((parameter) => {
      const name = names.get(parameter);
      return name === undefined ? parameter : values[name];
    });
    return { sql: compiled.sql, parameters };
  };
}
