import type { Page } from 'playwright-core';

/**
 * Serves this HTML at every address that the page navigates to, and blocks all other requests.
 *
 * @param headers headers of the HTML, beside its type
 */
export async function serveOnly(page: Page, html: () => string, headers: Record<string, string> = {}): Promise<void> {
  await page.route('**', (route) =>
    route.request().isNavigationRequest() && route.request().frame() === page.mainFrame()
      ? route.fulfill({ headers: { ...headers, 'content-type': 'text/html; charset=utf-8' }, body: html() })
      : route.abort(),
  );
}
