import type { Capture } from '@recollect/contract';

/** The pictures of a capture: at most one of its page, and the icon of the site. */
export type Pictures = Pick<Capture, 'picture' | 'favicon'>;

export type Image = NonNullable<Capture['picture']>;

export interface PictureOptions {
  /** The icon that the browser shows for the page; null if it shows none. */
  iconUrl: string | null;
}
