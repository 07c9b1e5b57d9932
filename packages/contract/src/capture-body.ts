import type { Capture, CaptureBody } from './capture.js';

/** The captures of a valid body in request order. Null is a capture without fields. */
export function flattenCaptures(body: CaptureBody | null): (Capture | null)[] {
  if (Array.isArray(body)) return body;
  if (body === null) return [];
  if ('captures' in body) return (body.captures as (Capture | null)[] | null) ?? [];
  if ('capture' in body) return Array.isArray(body.capture) ? [] : [body.capture as Capture | null];
  return [body];
}

/** Converts a pointer into the list of {@link flattenCaptures}, such as `/1/url`, to one into the original body. */
export function pointerInBody(body: unknown, pointer: string): string {
  if (Array.isArray(body)) return pointer;
  if (typeof body !== 'object' || body === null) return '';
  if ('captures' in body) return `/captures${pointer}`;
  return `${'capture' in body ? '/capture' : ''}${pointer.replace(/^\/\d+/, '')}`;
}
