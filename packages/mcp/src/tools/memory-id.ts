/** An id in whichever way a model writes it: as it was given, or as the URI of the resource. */
export function memoryId(given: string): string {
  return given
    .trim()
    .replace(/^memory:\/\//i, '')
    .replace(/\/$/, '')
    .toLowerCase();
}
