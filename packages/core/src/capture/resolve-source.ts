import { siteOf } from '@recollect/contract/query-syntax';
import { type SourceType, surfaces } from '@recollect/contract/vocabulary';

/** A map, because every object has a `constructor`, which could also be a URL's host. */
const SURFACE_OF_HOST: ReadonlyMap<string, (typeof surfaces)[number]> = new Map([
  ['chatgpt.com', 'chatgpt'],
  ['chat.openai.com', 'chatgpt'],
  ['claude.ai', 'claude'],
]);

/** Which client surface a capture is from, and the type of its memory (CAP-4). */
export function resolveSource(
  sourceApp: string | null,
  url: string | null,
  fileName: string | null = null,
): { sourceApp: string; sourceType: SourceType } {
  const app = sourceApp ?? (url === null ? undefined : SURFACE_OF_HOST.get(siteOf(url) ?? '')) ?? 'web';
  const surface = surfaces.find((name) => name === app.toLowerCase());
  return surface === undefined
    ? { sourceApp: app, sourceType: url !== null ? 'url' : fileName !== null ? 'file' : 'note' }
    : { sourceApp: surface, sourceType: surface };
}
