import type { Page } from 'playwright-core';

/** Makes a page consist of a text alone, at whatever address it is led to: what it asks for beyond that is not there. */
export async function onlyThis(page: Page, html: () => string): Promise<void> {
  await page.route('**', (route) =>
    route.request().isNavigationRequest() && route.request().frame() === page.mainFrame()
      ? route.fulfill({ contentType: 'text/html; charset=utf-8', body: html() })
      : route.abort(),
  );
}
