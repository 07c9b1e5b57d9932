import type { Page } from 'playwright-core';

/** Milliseconds between two key presses of a fast typist. */
const BETWEEN_KEYS = 120;
/** Milliseconds after the last key press until its results must be there. */
const PATIENCE = 3_000;

/**
 * Types a query into the search field. Returns the milliseconds from each key press to the frame in which its results,
 * or the results of a later key press, were on screen: the app then sets the title of the window.
 */
export async function timeKeys(page: Page, query: string): Promise<number[]> {
  const field = page.getByRole('searchbox', { name: 'Search' });
  await field.fill('');
  await page.waitForFunction(() => document.title.startsWith('Everything'));
  await page.evaluate(() => {
    const log = { keys: [] as [string, number][], titles: [] as [string, number][] };
    Object.assign(window, { log });
    const search = document.querySelector<HTMLInputElement>('#search');
    search?.addEventListener('input', ({ timeStamp }) => log.keys.push([search.value.trim(), timeStamp]));
    new MutationObserver(() => log.titles.push([document.title, performance.now()])).observe(document.head, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  await field.pressSequentially(query, { delay: BETWEEN_KEYS });
  await page.waitForFunction((typed) => document.title.startsWith(`${typed} –`), query.trim(), { timeout: PATIENCE });
  return page.evaluate(() => {
    const { log } = window as unknown as { log: { keys: [string, number][]; titles: [string, number][] } };
    // A space changes no results.
    const keys = log.keys.filter(([text], at) => text !== log.keys[at - 1]?.[0]);
    return keys.map(([text, pressedAt]) => {
      const shown = log.titles.find(([title, at]) => at >= pressedAt && title.startsWith(text));
      return (shown?.[1] ?? Number.POSITIVE_INFINITY) - pressedAt;
    });
  });
}

export interface Scroll {
  /** Milliseconds. */
  longestFrame: number;
  /** The most nodes that the document had. */
  nodes: number;
}

/** Scrolls through a list of `count` memories, most of a window per frame, until its last one is on screen. */
export function scrollThrough(page: Page, count: number): Promise<Scroll> {
  return page.evaluate(
    (all) =>
      new Promise<Scroll>((resolve, reject) => {
        const giveUpAt = performance.now() + 180_000;
        let [longestFrame, nodes, frames, before] = [0, 0, 0, performance.now()];
        const step = (now: number) => {
          if (frames > 1) longestFrame = Math.max(longestFrame, now - before);
          frames += 1;
          if (frames % 10 === 0) {
            const walker = document.createTreeWalker(document);
            let present = 1;
            while (walker.nextNode() !== null) present += 1;
            nodes = Math.max(nodes, present);
          }
          if (document.querySelector(`[aria-posinset="${all}"]`) !== null) return resolve({ longestFrame, nodes });
          if (now > giveUpAt) return reject(new Error('The list could not be scrolled to its end.'));
          scrollBy(0, innerHeight * 0.75);
          before = now;
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
    count,
  );
}

/**
 * Bytes of the tab: scripts, elements and styles, after a garbage collection. The page must be isolated from other
 * origins.
 */
export async function tabBytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const measured = page.evaluate(async () => {
    type Measured = { measureUserAgentSpecificMemory(): Promise<{ bytes: number }> };
    return (await (performance as unknown as Measured).measureUserAgentSpecificMemory()).bytes;
  });
  // The browser measures with its next collection.
  await session.send('HeapProfiler.collectGarbage');
  return measured;
}
