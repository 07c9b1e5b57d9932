import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { browserPath, openBrowser } from '@recollect/browser';
import { extensionOrigin } from '@recollect/contract';
import { createManifest } from '@recollect/extension/archive';
import { scoreExtraction } from './extraction/score-extraction.js';
import type { Figure } from './figure.js';
import { quantile } from './statistics.js';

const OPENINGS = 15;

/**
 * Measures article extraction, next to Readability, the size of the scripts, and the first paint of the popup. Returns
 * nothing without Chromium.
 */
export async function measureExtension(): Promise<Figure[]> {
  if (browserPath === undefined) return [];
  const scores = await scoreExtraction();
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const ours = scores.map(({ recollect }) => recollect);
  const peers = scores.map(({ readability }) => readability);
  const kilobytes = async (name: string) => gzipSync(await readFile(built(name))).length / 1024;
  const paints = await firstPaints();
  const name = `word F1 of articles over ${scores.length} pages`;
  return [
    { name: `${name} (Readability ${mean(peers).toFixed(3)})`, value: mean(ours), unit: 'F1', limit: 0.95 },
    { name: `${name}, worst (${Math.min(...peers).toFixed(3)})`, value: Math.min(...ours), unit: 'F1', limit: 0.85 },
    { name: 'content.js, gzip', value: await kilobytes('content.js'), unit: 'KB', limit: 150 },
    { name: 'popup.js, gzip', value: await kilobytes('popup.js'), unit: 'KB', limit: 100 },
    {
      name: `first paint of the extension window, p50 (an empty page ${paints.empty.toFixed(0)})`,
      value: paints.popup,
      unit: 'ms',
      limit: 100,
    },
  ];
}

/** Milliseconds from opening the popup's page, and an empty page, to first contentful paint, with no server running. */
async function firstPaints(): Promise<{ popup: number; empty: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-bench-'));
  const manifest = createManifest({ baseUrl: 'http://127.0.0.1:9', version: '0.1.0', browser: 'chromium' });
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'empty.html'), '<!doctype html><title>Empty</title><h1>Recollect</h1>');
  await cp(built(''), folder, { recursive: true });
  const browser = await openBrowser({ extensions: [folder] });
  try {
    const times: Record<string, number[]> = { popup: [], empty: [] };
    for (let opening = 0; opening < OPENINGS; opening++) {
      for (const [name, measured] of Object.entries(times)) {
        const page = await browser.context.newPage();
        await page.goto(`${extensionOrigin}/${name}.html`);
        measured.push(await page.evaluate(paintOf));
        await page.close();
      }
    }
    return { popup: quantile(times.popup ?? [], 0.5), empty: quantile(times.empty ?? [], 0.5) };
  } finally {
    await browser.close();
    await rm(folder, { recursive: true });
  }
}

/** Runs in the page. */
function paintOf(): Promise<number> {
  return new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => {
      const [paint] = list.getEntriesByName('first-contentful-paint');
      if (paint !== undefined) resolve(paint.startTime);
    });
    observer.observe({ type: 'paint', buffered: true });
  });
}

function built(name: string): string {
  return fileURLToPath(new URL(name, import.meta.resolve('@recollect/extension/content.js')));
}
