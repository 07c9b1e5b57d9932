import type { Core, PictureKind } from '@recollect/core';
import { type App, bindOperation, type Handler } from '../bind-operation.js';

/** Seconds for which a browser keeps a picture whose address has its hash. */
const CACHE_SECONDS = 30 * 86_400;

/** IMG-2: the pictures of memories. A picture is never a page: no script in it runs in any client. */
export function pictureRoutes(app: App, { memories }: Core): void {
  const serve =
    (kind: PictureKind): Handler<'memoryPicture' | 'memoryFavicon'> =>
    async ({ identity, parameters, query, headers, reply }) => {
      const { hash, type, bytes } = await memories.picture(identity.userId, parameters.id, kind);
      const etag = `"${hash}"`;
      reply.headers({
        etag,
        'cache-control': query.v === hash ? `private, max-age=${CACHE_SECONDS}, immutable` : 'private, no-cache',
        'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      });
      if (isKnown(headers['if-none-match'], etag)) return reply.code(304).send();
      return reply.type(type).send(Buffer.from(bytes));
    };
  bindOperation(app, 'memoryPicture', serve('picture'));
  bindOperation(app, 'memoryFavicon', serve('favicon'));
}

/**
 * Whether a client has what an entity tag names (RFC 9110, 13.1.2). A proxy that compresses makes the tag a weak one.
 */
function isKnown(ifNoneMatch: unknown, etag: string): boolean {
  if (typeof ifNoneMatch !== 'string') return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
