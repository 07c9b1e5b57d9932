import { limits } from '../limits.js';
import { parseUrl } from './parse-url.js';

/** Whether a text is an address that a memory can have: http or https, and not too long. */
export function isPageAddress(text: string): boolean {
  return text.length <= limits.capture.urlLength && /^https?:\/\//i.test(text) && parseUrl(text) !== null;
}
