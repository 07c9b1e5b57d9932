import { describeDeployment } from '@recollect/contract';
import { archiveName, createArchive } from '@recollect/extension/archive';
import { readSavePage } from '@recollect/extension/save-page';
import { type App, bindOperation } from '../bind-operation.js';

/**
 * EXT-1 to EXT-4: the setup document, the extension itself, and the page of the bookmarklet. `auth.mode` is `required`
 * if a request like this one would need a key: with RECOLLECT_AUTH=required, through a proxy, or at a public URL.
 */
export function extensionRoutes(
  app: App,
  { version, openclawHosts, mcp }: { version: string; openclawHosts: readonly string[]; mcp: boolean },
): void {
  bindOperation(app, 'extensionSetup', async ({ identity, admission: { baseUrl, needsKey } }) => {
    const hasKey = identity !== null && identity.apiKeyId !== null;
    return {
      ok: true as const,
      ...describeDeployment(baseUrl, version),
      auth: {
        apiKeysSupported: true,
        apiKeyProvided: hasKey,
        authenticated: hasKey,
        mode: needsKey ? ('required' as const) : ('optional' as const),
      },
      capabilities: { capture: true, query: true, mcp },
    };
  });
  bindOperation(app, 'extensionPackage', async ({ admission: { baseUrl }, query: { browser = 'chromium' }, reply }) => {
    reply.header('content-disposition', `attachment; filename="${archiveName}"`);
    return createArchive({ ...describeDeployment(baseUrl, version), openclawHosts, browser });
  });
  const savePage = readSavePage();
  bindOperation(app, 'savePage', async ({ reply }) => {
    // The opener gets no reference to the window.
    reply.headers({ 'content-security-policy': savePage.policy, 'cross-origin-opener-policy': 'same-origin' });
    return savePage.html;
  });
}
