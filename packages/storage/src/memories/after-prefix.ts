/** Sorts after all ids with this prefix: ids are hexadecimal digits and hyphens. */
export function afterPrefix(prefix: string): string {
  return `${prefix}~`;
}
