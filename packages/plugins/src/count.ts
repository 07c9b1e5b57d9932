/** A number with its noun. Plugins that ship import nothing but the plugin API, as other plugins do, so this is their own. */
export function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
