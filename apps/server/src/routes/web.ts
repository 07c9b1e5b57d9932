import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { type OperationId, settingsSections } from '@recollect/contract';
import { RecollectError } from '@recollect/core';
import { webFolder } from '@recollect/web/files';
import { fileWithBasePath, lacksSlash } from '../base-path.js';
import { type App, bindOperation } from '../bind-operation.js';
import { openerPolicy, page, policy, sendMissingPage, wantsPage } from '../web-page.js';

const PAGES = [
  'home',
  'everythingPage',
  'highlightsPage',
  'reviewPage',
  'sharedPage',
  'sharedCollectionPage',
  'sharedMemoryPage',
  'tagsPage',
  'trashPage',
  'settingsPage',
] as const satisfies OperationId[];
/** A file directly in the folder of assets. */
const ASSET = /^[\w-]+\.[\w-]+(?:\.[\w-]+)?$/;
/** Names that the build makes unique with a part of the content's hash. Others, such as icons, keep their name. */
const HASHED = /-[\w-]{8}\.\w+$/;

/** The web app: one page for all addresses, and its files, compressed when it was built. `base` is the base path. */
export function webRoutes(app: App, base: string): void {
  const assets = join(webFolder, 'assets');
  app.register(fastifyStatic, {
    root: assets,
    serve: false,
    preCompressed: true,
    cacheControl: false,
  });
  const manifest = fileWithBasePath(join(webFolder, 'manifest.webmanifest'), base);
  const worker = readFileSync(join(webFolder, 'service-worker.js'));
  const ownImagesPolicy = policy("'self' data:");

  for (const id of PAGES)
    bindOperation(app, id, async ({ reply }) => {
      if (lacksSlash(reply.request.originalUrl, base))
        return reply.redirect(reply.request.originalUrl.replace(base, `${base}/`), 308);
      reply.headers({ 'content-security-policy': ownImagesPolicy, ...openerPolicy(reply) });
      return page(base);
    });
  bindOperation(app, 'settingsSectionPage', async ({ parameters, reply }) => {
    if (!settingsSections.some((section) => section === parameters.section)) {
      if (wantsPage(reply)) return sendMissingPage(reply, base);
      throw new RecollectError('NOT_FOUND', 'There is no such page.');
    }
    reply.headers({ 'content-security-policy': ownImagesPolicy, ...openerPolicy(reply) });
    return page(base);
  });
  bindOperation(app, 'memoryPage', async ({ query, admission, reply }) => {
    // Only a page of the app can ask for images: a link on another site cannot make a reader load them.
    const showsImages = query.images === 'show' && !admission.isNavigation;
    reply.headers({
      'content-security-policy': showsImages ? policy("'self' data: https: http:") : ownImagesPolicy,
      ...openerPolicy(reply),
    });
    return page(base);
  });
  bindOperation(app, 'webManifest', async () => manifest);
  bindOperation(app, 'serviceWorker', async ({ reply }) => {
    reply.headers({ 'content-security-policy': "default-src 'none'; connect-src 'self'", 'cache-control': 'no-cache' });
    return worker;
  });
  bindOperation(app, 'webAsset', async ({ parameters: { file }, reply }) => {
    if (!ASSET.test(file) || !existsSync(join(assets, file)))
      throw new RecollectError('NOT_FOUND', 'There is no such file.');
    reply.header('cache-control', HASHED.test(file) ? 'public, max-age=31536000, immutable' : 'no-cache');
    return reply.sendFile(file);
  });
}
