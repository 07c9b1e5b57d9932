/**
 * Every value of a header as it was sent; Node's own list joins some repeated headers and drops others. `rawHeaders`
 * are names and values in turn.
 */
export function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '');
  }
  return values;
}
