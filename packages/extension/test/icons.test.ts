import { readFile, writeFile } from 'node:fs/promises';
import { type Browser, browserPath, openContext } from '@recollect/browser';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ICON_SIZES, iconPath } from '../src/archive/create-manifest.js';

/** Whether to draw the icons again instead of comparing them. */
const DRAWS = process.env.RECOLLECT_DRAW_ICONS === '1';
/** Two versions of a browser may smooth edges differently: the mean difference of a channel, of 255. */
const TOLERANCE = 4;

const fileOf = (name: string) => new URL(`../icons/${name}`, import.meta.url);
/** At 16 pixels there is no room for the arrow. */
const sourceOf = (size: number) => (size === 16 ? 'small.svg' : 'icon.svg');

describe.skipIf(browserPath === undefined)('icons (need Chromium: apt-get install chromium)', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await openContext();
    page = await browser.context.newPage();
  });
  afterAll(() => browser?.close());

  test.each(ICON_SIZES)('EXT-4: the icon of %i pixels matches its drawing', async (size) => {
    const drawing = `data:image/svg+xml;base64,${(await readFile(fileOf(sourceOf(size)))).toString('base64')}`;
    if (DRAWS) {
      const drawn = await page.evaluate(drawAt, { source: drawing, size });
      await writeFile(fileOf(iconPath(size)), Buffer.from(drawn.url.split(',')[1] ?? '', 'base64'));
    }
    const picture = `data:image/png;base64,${(await readFile(fileOf(iconPath(size)))).toString('base64')}`;
    const [wanted, found] = [
      await page.evaluate(drawAt, { source: drawing, size }),
      await page.evaluate(drawAt, { source: picture, size }),
    ];
    expect([found.width, found.height]).toEqual([size, size]);
    const differences = wanted.pixels.map((value, at) => Math.abs(value - (found.pixels[at] ?? 0)));
    expect(differences.reduce((sum, value) => sum + value, 0) / differences.length).toBeLessThan(TOLERANCE);
  });
});

/** Draws an image in a page at a size. */
async function drawAt({ source, size }: { source: string; size: number }) {
  const image = new Image();
  image.src = source;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = size;
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  context.drawImage(image, 0, 0, size, size);
  const pixels = [...context.getImageData(0, 0, size, size).data];
  return { url: canvas.toDataURL(), pixels, width: image.naturalWidth, height: image.naturalHeight };
}
