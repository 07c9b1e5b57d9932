let opened = { id: '', excerpt: '' };

/** Remembers the excerpt by which a search result was opened, so that the reader opens at it. */
export function rememberPassage(id: string, excerpt: string): void {
  opened = { id, excerpt };
}

/** The excerpt that a memory was opened by; empty if it was opened otherwise. */
export function passageOf(id: string): string {
  return opened.id === id ? opened.excerpt : '';
}
