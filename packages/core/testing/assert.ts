/** Throws unless two values are the same as JSON. */
export function equal(actual: unknown, expected: unknown, what: string): void {
  const [is, should] = [actual, expected].map((value) => JSON.stringify(value) ?? 'undefined');
  if (is !== should) throw new Error(`${what}: is ${is}, should be ${should}`);
}

export function ok(condition: boolean, what: string): void {
  if (!condition) throw new Error(`${what} does not hold`);
}
