import { exportLineSchema } from '@recollect/contract';
import type { FastifyReply } from 'fastify';
import { type App, bindOperation } from '../bind-operation.js';
import { openApiDocument } from '../openapi.js';

/** Loaded with the first page that is asked for: all of them are 1.5 MB, and a start would take 0.02 s longer. */
const loadDocs = () => import('../docs/index.js');

/** SYS-2: the interface for programs and for people. */
export function docsRoutes(app: App, { version, mcp }: { version: string; mcp: boolean }): void {
  let document: Record<string, unknown> | undefined;
  bindOperation(app, 'openapi', async () => {
    document ??= openApiDocument(version, mcp ? [] : ['mcp']);
    return document;
  });
  bindOperation(app, 'exportSchema', async () => exportLineSchema);
  bindOperation(app, 'docs', async ({ admission, reply }) => {
    const { docsPolicy, overview } = await loadDocs();
    reply.header('content-security-policy', docsPolicy);
    return overview(version, admission);
  });
  bindOperation(app, 'docsPage', async ({ parameters: { page }, reply }) => renderPage(page, reply));
  bindOperation(app, 'docsFolderPage', async ({ parameters: { folder, page }, reply }) =>
    renderPage(`${folder}/${page}`, reply),
  );
}

async function renderPage(path: string, reply: FastifyReply): Promise<string> {
  const docs = await loadDocs();
  const page = docs.renderPage(path);
  reply.header('content-security-policy', docs.docsPolicy);
  return page;
}
