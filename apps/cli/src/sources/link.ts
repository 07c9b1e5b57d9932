/** A memory of which only the address is saved. */
export interface Link {
  id: string;
  title: string;
  url: string;
  tags: readonly string[];
  capturedAt: string;
}

/** The tag of links whose pages are gone, which the plugin link-rot also gives. */
export const DEAD_LINK = 'dead-link';
