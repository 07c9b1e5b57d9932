import type { SourceType } from '@recollect/contract';
import { siteOf } from './url-key.js';

const SURFACES = ['chatgpt', 'claude', 'openclaw'] as const;
const SURFACE_OF_HOST: Readonly<Record<string, (typeof SURFACES)[number]>> = {
  'chatgpt.com': 'chatgpt',
  'chat.openai.com': 'chatgpt',
  'claude.ai': 'claude',
};

/** Which client surface a capture is from, and the type of its memory (CAP-4). */
export function resolveSource(
  sourceApp: string | null,
  url: string | null,
): { sourceApp: string; sourceType: SourceType } {
  const app = sourceApp ?? (url === null ? undefined : SURFACE_OF_HOST[siteOf(url) ?? '']) ?? 'web';
  const surface = SURFACES.find((name) => name === app.toLowerCase());
  return surface === undefined
    ? { sourceApp: app, sourceType: url === null ? 'note' : 'url' }
    : { sourceApp: surface, sourceType: surface };
}
