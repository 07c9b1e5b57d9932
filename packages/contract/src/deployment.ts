import type { SetupAnswer } from './extension.js';
import { operations } from './operations.js';

/** What an extension is told of a deployment at an origin such as `http://127.0.0.1:4545`. */
export function describeDeployment(baseUrl: string, version: string): Pick<SetupAnswer, 'product' | 'connection'> {
  return {
    product: { name: 'Recollect', extensionName: 'Recollect Everywhere', extensionVersion: version },
    connection: {
      baseUrl,
      captureUrl: baseUrl + operations.capture.path,
      queryUrl: baseUrl + operations.query.path,
      setupUrl: baseUrl + operations.extensionSetup.path,
      mcpUrl: `${baseUrl}/api/mcp`,
      docsUrl: `${baseUrl}/docs/getting-started/extension`,
      downloadUrl: baseUrl + operations.extensionPackage.path,
    },
  };
}
