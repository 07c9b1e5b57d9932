import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32, deflateSync } from 'node:zlib';
import { browserPath } from '@recollect/browser';
import { LOCAL_USER, type Picture } from '@recollect/core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Extension, openExtension } from './open-extension.js';

/** A PNG image of these colours, row by row. */
function png(width: number, height: number, colourAt: (at: number) => number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const content = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(content));
    return Buffer.concat([length, content, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const stride = 1 + width * 3;
  const rows = Uint8Array.from({ length: stride * height }, (_, at) => (at % stride === 0 ? 0 : colourAt(at)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

let seed = 1;
const noise = () => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed % 256;
};
const IMAGES: Readonly<Record<string, Buffer>> = {
  '/named.png': png(300, 200, () => 40),
  '/large.png': png(900, 500, () => 90),
  '/noise.png': png(1_600, 1_200, noise),
  '/tall.png': png(400, 900, () => 120),
  '/icon.png': png(32, 32, () => 200),
  '/big-icon.png': png(200, 200, noise),
};

const svg = (attributes: string, content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`;
const DISC = '<circle cx="50" cy="50" r="50" fill="#357"/>';
const SVGS: Readonly<Record<string, string>> = {
  '/scaled.svg': svg('viewBox="0 0 100 100"', DISC),
  '/percent.svg': svg('viewBox="0 0 100 100" width="100%" height="100%"', DISC),
  '/wide.svg': svg('viewBox="0 0 200 100"', `${DISC}<circle cx="150" cy="50" r="50" fill="#357"/>`),
  '/sized.svg': svg('width="100" height="100"', DISC),
  '/dark.svg': svg(
    'viewBox="0 0 100 100"',
    `<style>circle { fill: #357 } @media (prefers-color-scheme: dark) { circle { fill: none } }</style>${DISC}`,
  ),
  '/speck.svg': svg('viewBox="0 0 100 100"', '<rect x="48" y="48" width="4" height="4"/>'),
  '/blank.svg': svg('viewBox="0 0 100 100"', ''),
};

/** A site whose pages are made of what the path says, and the requests that it got. */
async function serveSite(pages: Record<string, string>) {
  const requests: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    requests.push(url);
    const image = IMAGES[url];
    const svg = SVGS[url];
    if (image !== undefined) response.setHeader('content-type', 'image/png').end(image);
    else if (svg !== undefined) response.setHeader('content-type', 'image/svg+xml').end(svg);
    else if (pages[url] !== undefined) response.setHeader('content-type', 'text/html').end(pages[url]);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, pages, close };
}

const text = (name: string) => `<p>${`The lamps of ${name} were lit by hand for ninety years. `.repeat(12)}</p>`;
const article = (name: string, images: string, head = '') =>
  `<!doctype html><html lang="en"><head><title>${name}</title>${head}</head><body><main><article><h1>${name}</h1>${images}${text(name)}</article></main></body></html>`;

describe.skipIf(browserPath === undefined)('pictures of captures (need Chromium: apt-get install chromium)', () => {
  let extension: Extension;
  let site: Awaited<ReturnType<typeof serveSite>>;
  let elsewhere: typeof site;
  let page: Page;
  beforeAll(async () => {
    extension = await openExtension();
    site = await serveSite({});
    elsewhere = await serveSite({});
    page = await extension.context.newPage();
  });
  beforeEach(() => {
    site.requests.length = 0;
    elsewhere.requests.length = 0;
  });
  afterAll(async () => {
    await extension?.close();
    await Promise.all([site?.close(), elsewhere?.close()]);
  });

  /** Saves a page with these images, and returns what the store has of them. */
  async function save(name: string, images: string, head = ''): Promise<Record<'picture' | 'favicon', Picture | null>> {
    site.pages[`/${name}`] = article(name, images, head);
    await page.goto(`${site.origin}/${name}`, { waitUntil: 'networkidle' });
    const popup = await extension.press(page);
    await popup.until(`document.querySelector('.picture[aria-busy=false]') !== null`);
    await popup.press('Save page');
    await popup.status(/Page saved/);
    await popup.close();
    const { core, storage } = extension.server;
    const [memory] = (await core.memories.list(LOCAL_USER, { limit: 1 })).memories;
    expect(memory?.title).toBe(name);
    const find = (kind: 'picture' | 'favicon') => storage.pictures.find(LOCAL_USER, memory?.id ?? '', kind);
    const [picture, favicon] = [await find('picture'), await find('favicon')];
    expect([memory?.pictureHash, memory?.faviconHash]).toEqual([picture?.hash, favicon?.hash]);
    return { picture, favicon };
  }

  test('EXT-6: takes the image that the page names, and its icon', async () => {
    const head = '<meta property="og:image" content="/named.png"><link rel="icon" href="/icon.png">';
    const { picture, favicon } = await save('named', '<img src="/large.png"><img src="/named.png">', head);
    expect(picture).toMatchObject({ type: 'image/webp', width: 300, height: 200 });
    expect(favicon).toMatchObject({ type: 'image/png', width: 32, height: 32 });
    expect(Buffer.from(favicon?.bytes ?? []).equals(IMAGES['/icon.png'] ?? Buffer.alloc(0))).toBe(true);
    // An image that the page names but does not show is not asked for.
    const hidden = '<meta property="og:image" content="/tall.png">';
    expect((await save('unseen', '<img src="/large.png">', hidden)).picture).toMatchObject({ width: 480, height: 267 });
    expect(site.requests).not.toContain('/tall.png');
  });

  test('EXT-6: draws an SVG icon without a size to the edges, and skips one that is nearly empty', async () => {
    const shareOf = async (bytes: Uint8Array | undefined) =>
      page.evaluate(
        async (data) => {
          const image = new Image();
          image.src = `data:image/png;base64,${data}`;
          await image.decode();
          const canvas = new OffscreenCanvas(32, 32);
          const context = canvas.getContext('2d');
          context?.drawImage(image, 0, 0);
          const pixels = context?.getImageData(0, 0, 32, 32).data ?? [];
          return [...pixels].filter((value, at) => at % 4 === 3 && value > 127).length / 1_024;
        },
        Buffer.from(bytes ?? []).toString('base64'),
      );
    const iconOf = async (name: string) => {
      const { favicon } = await save(name, '', `<link rel="icon" href="/${name}.svg">`);
      return favicon;
    };
    // A disc fills pi / 4 of its square, and two discs side by side half of that.
    await page.emulateMedia({ colorScheme: 'dark' });
    let last: Picture | null = null;
    for (const [name, share] of [
      ['scaled', 0.785],
      ['percent', 0.785],
      ['sized', 0.785],
      ['dark', 0.785],
      ['wide', 0.39],
    ] as const) {
      const favicon = await iconOf(name);
      expect([name, favicon?.width, favicon?.height]).toEqual([name, 32, 32]);
      last = favicon;
      expect(Math.abs((await shareOf(favicon?.bytes)) - share), name).toBeLessThan(0.04);
    }
    await page.emulateMedia({ colorScheme: null });
    // The site keeps the icon that it had.
    for (const name of ['speck', 'blank']) expect((await iconOf(name))?.hash, name).toBe(last?.hash);
  });

  test('EXT-6: keeps every image within 24 KB and 480 pixels', { tags: 'long' }, async () => {
    const head = '<link rel="icon" href="/big-icon.png">';
    const { picture, favicon } = await save('noise', '<img src="/noise.png" width="600">', head);
    expect(picture?.type).toBe('image/webp');
    expect(picture?.bytes.length).toBeLessThanOrEqual(24 * 1024);
    expect(picture?.width).toBeGreaterThan(120);
    expect(favicon).toMatchObject({ width: 32, height: 32 });
    expect(favicon?.bytes.length).toBeLessThanOrEqual(4 * 1024);
    expect((await save('tall', '<img src="/tall.png">')).picture).toMatchObject({ width: 400, height: 400 });
  });

  test('EXT-6: leaves out the picture if the user wants none', async () => {
    site.pages['/private'] = article('private', '');
    await page.goto(`${site.origin}/private`);
    const popup = await extension.press(page);
    await popup.focus('.picture > button');
    await popup.key('Enter');
    await popup.until(`document.querySelector('.picture > button') === null`);
    await popup.press('Save page');
    await popup.status(/Page saved/);
    await popup.close();
    const [memory] = (await extension.server.core.memories.list(LOCAL_USER, { limit: 1 })).memories;
    expect([memory?.title, memory?.pictureHash]).toEqual(['private', undefined]);
  });

  test('EXT-6: without an image that it may read, takes what the tab shows, and asks no other site', {
    tags: 'long',
  }, async () => {
    const other = `<img src="${elsewhere.origin}/large.png">`;
    const head = `<meta property="og:image" content="${elsewhere.origin}/noise.png"><link rel="icon" href="${elsewhere.origin}/icon.png">`;
    const { picture } = await save('elsewhere', other, head);
    expect(picture).toMatchObject({ type: 'image/webp', width: 480 });
    expect(elsewhere.requests.filter((path) => path !== '/icon.png')).toEqual(['/large.png']);
    expect((await save('bare', '')).picture).toMatchObject({ width: 480 });
  });
});
