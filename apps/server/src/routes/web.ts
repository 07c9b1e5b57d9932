import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { OperationId } from '@recollect/contract';
import { RecollectError } from '@recollect/core';
import { webFolder } from '@recollect/web/files';
import type { FastifyReply } from 'fastify';
import { type App, bindOperation } from '../bind-operation.js';

const PAGES = ['home', 'highlightsPage', 'tagsPage', 'trashPage', 'settingsPage'] as const satisfies OperationId[];
/** A file directly in the folder of assets. */
const ASSET = /^[\w-]+\.[\w-]+(?:\.[\w-]+)?$/;
/** Names that the build makes unique with a part of the content's hash. Others, such as icons, keep their name. */
const HASHED = /-[\w-]{8}\.\w+$/;

/** Everything comes from the app itself, and nothing is inline. */
function policy(images: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    `img-src ${images}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types dompurify',
  ].join('; ');
}

/**
 * The page gets no reference to the window of another site that opened it, and that site none to the page. Left out if the user
 * opened the page (typed address, bookmark) or a page of the app did: there is no such site then, and with this header Chromium
 * starts another process before the first paint, which took one more frame (16 ms).
 */
function openerPolicy({ request }: FastifyReply): Record<string, string> {
  const site = request.headers['sec-fetch-site'];
  return site === 'none' || site === 'same-origin' ? {} : { 'cross-origin-opener-policy': 'same-origin' };
}

/** The web app: one page for all addresses, and its files, compressed when it was built. */
export function webRoutes(app: App): void {
  const assets = join(webFolder, 'assets');
  app.register(fastifyStatic, {
    root: assets,
    serve: false,
    preCompressed: true,
    cacheControl: false,
  });
  const page = readFileSync(join(webFolder, 'index.html'));
  const manifest = readFileSync(join(webFolder, 'manifest.webmanifest'));
  const own = policy("'self' data:");

  for (const id of PAGES)
    bindOperation(app, id, async ({ reply }) => {
      reply.headers({ 'content-security-policy': own, ...openerPolicy(reply) });
      return page;
    });
  bindOperation(app, 'memoryPage', async ({ query, admission, reply }) => {
    // Only a page of the app can ask for images: a link on another site cannot make a reader load them.
    const showsImages = query.images === 'show' && !admission.isNavigation;
    reply.headers({
      'content-security-policy': showsImages ? policy("'self' data: https: http:") : own,
      ...openerPolicy(reply),
    });
    return page;
  });
  bindOperation(app, 'webManifest', async () => manifest);
  bindOperation(app, 'webAsset', async ({ parameters: { file }, reply }) => {
    if (!ASSET.test(file) || !existsSync(join(assets, file)))
      throw new RecollectError('NOT_FOUND', 'There is no such file.');
    reply.header('cache-control', HASHED.test(file) ? 'public, max-age=31536000, immutable' : 'no-cache');
    return reply.sendFile(file) as never;
  });
}
