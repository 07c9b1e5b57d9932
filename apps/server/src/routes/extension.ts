import { operations } from '@recollect/contract';
import { type App, bindOperation } from '../bind-operation.js';

/**
 * EXT-1 to EXT-3: what an extension needs to know. `auth.mode` is `required` wherever a request like this one would need
 * a key: with RECOLLECT_AUTH=required, through a proxy, or under a public address.
 */
export function extensionRoutes(app: App, version: string): void {
  bindOperation(app, 'extensionSetup', async ({ identity, admission: { baseUrl, needsKey } }) => {
    const hasKey = identity !== null && identity.apiKeyId !== null;
    return {
      ok: true as const,
      product: { name: 'Recollect', extensionName: 'Recollect Everywhere', extensionVersion: version },
      connection: {
        baseUrl,
        captureUrl: baseUrl + operations.capture.path,
        queryUrl: baseUrl + operations.query.path,
        setupUrl: baseUrl + operations.extensionSetup.path,
        mcpUrl: `${baseUrl}/api/mcp`,
        docsUrl: `${baseUrl}/docs/getting-started/extension`,
        downloadUrl: `${baseUrl}/api/v1/extension/package`,
      },
      auth: {
        apiKeysSupported: true,
        apiKeyProvided: hasKey,
        authenticated: hasKey,
        mode: needsKey ? ('required' as const) : ('optional' as const),
      },
      capabilities: { capture: true, query: true, mcp: false },
    };
  });
}
