import type { SetupAnswer } from './extension.js';
import { routes } from './routes.js';

/** The part of the setup document that depends on the origin, such as `http://127.0.0.1:4545`, and the version. */
export function describeDeployment(baseUrl: string, version: string): Pick<SetupAnswer, 'product' | 'connection'> {
  return {
    product: { name: 'Recollect', extensionName: 'Recollect Everywhere', extensionVersion: version },
    connection: {
      baseUrl,
      captureUrl: baseUrl + routes.capture.path,
      queryUrl: baseUrl + routes.query.path,
      setupUrl: baseUrl + routes.extensionSetup.path,
      mcpUrl: baseUrl + routes.mcp.path,
      docsUrl: `${baseUrl}/docs/getting-started/extension`,
      downloadUrl: baseUrl + routes.extensionPackage.path,
    },
  };
}
