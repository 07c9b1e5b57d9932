/** What sorts after all ids that begin like this: ids are hexadecimal digits and hyphens. */
export function afterPrefix(prefix: string): string {
  return `${prefix}~`;
}
