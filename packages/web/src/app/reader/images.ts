import { ownName } from '../api/base-path.js';
import { memoryAddress } from '../state/query.js';

const STORAGE_KEY = ownName('recollect-images');

/** Shows the images of a memory. The page is loaded anew, because the policy of this one admits no remote image. */
export function showImages(id: string): void {
  sessionStorage.setItem(STORAGE_KEY, id);
  location.assign(`${memoryAddress(id, '')}?images=show`);
}

/** Goes back to the page without remote images. */
export function hideImages(id: string): void {
  sessionStorage.removeItem(STORAGE_KEY);
  location.assign(memoryAddress(id, ''));
}

/** Whether the user pressed "Show images" for this memory in this tab. A link to the address alone shows none. */
export function mayShowImages(id: string): boolean {
  return sessionStorage.getItem(STORAGE_KEY) === id;
}
