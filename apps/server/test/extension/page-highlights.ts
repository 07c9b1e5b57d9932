import { extensionOrigin } from '@recollect/contract';
import type { BrowserContext, Page } from 'playwright-core';

/** A page of an article with two equal sentences, and a field. */
export const PAGE = `<!doctype html><html lang="en"><title>Lamps</title><body>
<script>const script = 'Paraffin burns brighter than colza oil';</script>
<main><article><h1>Lamps</h1>
<p id="first">Paraffin burns brighter than <b>colza</b> oil, but its lamps smell.</p>
<p id="second">In the harbour, the light is white. It burns all night.</p>
<p id="third">On the quay, the light is red. It burns all night.</p>
<p>${'The keeper of each lamp knew its flame, and wrote down what it burned. '.repeat(12)}</p>
</article><input id="field" value="Paraffin"><div id="editor" contenteditable>Colza</div></main></body></html>`;

/** Opens the options, in which no request for a permission is shown. */
export async function openOptions(context: BrowserContext, { isGranted = true } = {}): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${extensionOrigin}/options.html`);
  await page.evaluate(`Object.assign(chrome.permissions, {
    request: async ({ origins }) => { globalThis.requested = origins; return ${isGranted}; },
    remove: async ({ origins }) => { globalThis.removed = origins; return true; },
  })`);
  return page;
}

/** Switches on highlights on pages in the options. */
export async function switchOn(context: BrowserContext): Promise<void> {
  const options = await openOptions(context);
  await options.getByRole('switch', { name: 'Highlight on web pages' }).click();
  await options.getByText('On. Reload pages that are already open.').waitFor();
  await options.close();
}

/** The passages that the page shows as highlights, by the name of their colour. */
export function shownOn(page: Page): Promise<Record<string, string[]>> {
  return page.evaluate(() =>
    Object.fromEntries([...CSS.highlights].map(([name, ranges]) => [name, [...ranges].map(String)])),
  );
}

/** Selects the text of an element, or a part of it, as a user would. */
export function select(page: Page, selector: string, part?: string): Promise<void> {
  return page.evaluate(
    ([selected, text]) => {
      const element = document.querySelector(selected ?? '') ?? document.body;
      const range = document.createRange();
      range.selectNodeContents(element);
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null && text !== undefined; node = walker.nextNode()) {
        const at = (node as Text).data.indexOf(text);
        if (at < 0) continue;
        range.setStart(node, at);
        range.setEnd(node, at + text.length);
        break;
      }
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(range);
    },
    [selector, part] as const,
  );
}

/** The texts of the bar at the selection, which is in a closed shadow root. */
export async function barText(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const { root } = await session.send('DOM.getDocument', { depth: -1, pierce: true });
  await session.detach();
  const texts: string[] = [];
  const walk = (node: typeof root, isShown: boolean) => {
    const isBar = node.localName === 'recollect-highlighter';
    const isHidden = node.attributes?.includes('hidden') === true;
    if (node.nodeType === 3 && isShown) texts.push(node.nodeValue);
    for (const child of [...(node.shadowRoots ?? []), ...(node.children ?? [])])
      walk(child, (isShown || isBar) && !isHidden);
  };
  walk(root, false);
  return texts.join('').trim();
}

/** Clicks a button of the bar with the mouse, by its place among those that are shown. */
export async function clickBar(page: Page, side: 'start' | 'end' = 'start'): Promise<void> {
  const box = await page.locator('recollect-highlighter').boundingBox();
  if (box === null) throw new Error('There is no bar.');
  await page.mouse.click(side === 'start' ? box.x + 20 : box.x + box.width - 20, box.y + box.height / 2);
}
