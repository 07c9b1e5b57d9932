/** Normalises an id, which a model may also write as the resource's URI. */
export function memoryId(given: string): string {
  return given
    .trim()
    .replace(/^memory:\/\//i, '')
    .replace(/\/$/, '')
    .toLowerCase();
}
