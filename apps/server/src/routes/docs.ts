import { type App, bindOperation } from '../bind-operation.js';
import { docsPage, docsPolicy } from '../docs-page.js';
import { openApiDocument } from '../openapi.js';

/** SYS-2: the interface for programs and for people. A browser that opens the bare address lands on the latter. */
export function docsRoutes(app: App, version: string): void {
  const document = openApiDocument(version);
  bindOperation(app, 'openapi', async () => document);
  app.get('/docs', { config: { isPublic: true } }, ({ headers }, reply) => {
    const page = docsPage(version, headers.host ?? '');
    return reply.header('content-security-policy', docsPolicy).type('text/html; charset=utf-8').send(page);
  });
  app.get('/', { config: { isPublic: true } }, (_, reply) => reply.redirect('/docs'));
}
