import { join } from 'node:path';
import { webFolder } from '@recollect/web/files';
import type { FastifyReply } from 'fastify';
import { fileWithBasePath } from './base-path.js';

/** Addresses whose clients are programs. */
const NO_PAGES = /^\/(?:api|assets|docs|mcp|healthz|readyz|openapi)(?:[/.]|$)/;

/** By base path. A process has one, except in tests. */
const pages = new Map<string, Buffer>();

/** The web app's page, which is the same for all addresses of a deployment. */
export function page(base: string): Buffer {
  const content = pages.get(base) ?? fileWithBasePath(join(webFolder, 'index.html'), base);
  pages.set(base, content);
  return content;
}

/** Everything comes from the app itself, and nothing is inline. `images` are the sources of images. */
export function policy(images: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    `img-src ${images}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "worker-src 'self'",
    'trusted-types dompurify recollect recollect-worker',
  ].join('; ');
}

/**
 * The page gets no reference to the window of another site that opened it, and that site none to the page. Left out if
 * the user opened the page (typed address, bookmark) or a page of the app did: there is no such site then, and with
 * this header Chromium starts another process before the first paint, which took one more frame (16 ms).
 */
export function openerPolicy({ request }: FastifyReply): Record<string, string> {
  const site = request.headers['sec-fetch-site'];
  return site === 'none' || site === 'same-origin' ? {} : { 'cross-origin-opener-policy': 'same-origin' };
}

/** Whether a browser opens an address that the web app could have, and so shows its page also if there is nothing. */
export function wantsPage({ request }: FastifyReply): boolean {
  const [path = ''] = request.url.split('?');
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  return isRead && /\btext\/html\b/.test(request.headers.accept ?? '') && !NO_PAGES.test(path);
}

/** Responds with 404 and the web app's page, which says that there is no such page. */
export function sendMissingPage(reply: FastifyReply, base: string): FastifyReply {
  return reply
    .code(404)
    .headers({ 'content-security-policy': policy("'self' data:"), ...openerPolicy(reply) })
    .type('text/html; charset=utf-8')
    .send(page(base));
}
