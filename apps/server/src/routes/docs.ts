import { exportLineSchema } from '@recollect/contract';
import type { FastifyReply } from 'fastify';
import { withBasePath } from '../base-path.js';
import { type App, bindOperation } from '../bind-operation.js';
import { openApiDocument } from '../openapi.js';

/** Loaded with the first page that is asked for: all of them are 1.5 MB, and a start would take 0.02 s longer. */
const loadDocs = () => import('../docs/index.js');

/** SYS-2: the interface for programs and for people. */
export function docsRoutes(app: App, { version, mcp, base }: { version: string; mcp: boolean; base: string }): void {
  let document: Record<string, unknown> | undefined;
  bindOperation(app, 'openapi', async () => {
    document ??= openApiDocument(version, { base, omitted: mcp ? [] : ['mcp'] });
    return document;
  });
  bindOperation(app, 'exportSchema', async () => exportLineSchema);
  bindOperation(app, 'docs', async ({ admission, reply }) => {
    const { docsPolicy, overview } = await loadDocs();
    reply.header('content-security-policy', docsPolicy);
    return withBasePath(overview(version, admission), base);
  });
  const renderPage = async (path: string, reply: FastifyReply): Promise<string> => {
    const docs = await loadDocs();
    const page = docs.renderPage(path, base);
    reply.header('content-security-policy', docs.docsPolicy);
    return page;
  };
  bindOperation(app, 'docsPage', async ({ parameters: { page }, reply }) => renderPage(page, reply));
  bindOperation(app, 'docsFolderPage', async ({ parameters: { folder, page }, reply }) =>
    renderPage(`${folder}/${page}`, reply),
  );
}
