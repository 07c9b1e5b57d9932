import { exportLineSchema } from '@recollect/contract';
import { RecollectError } from '@recollect/core';
import { findPage } from '@recollect/documentation';
import type { FastifyReply } from 'fastify';
import { type App, bindOperation } from '../bind-operation.js';
import { docsPolicy, layout } from '../docs/layout.js';
import { operationsPage } from '../docs/operations-page.js';
import { overview } from '../docs/overview.js';
import { openApiDocument } from '../openapi.js';

/** SYS-2: the interface for programs and for people. */
export function docsRoutes(app: App, { version, mcp }: { version: string; mcp: boolean }): void {
  const document = openApiDocument(version, mcp ? [] : ['mcp']);
  bindOperation(app, 'openapi', async () => document);
  bindOperation(app, 'exportSchema', async () => exportLineSchema);
  bindOperation(app, 'docs', async ({ admission, reply }) => {
    reply.header('content-security-policy', docsPolicy);
    return overview(version, admission);
  });
  bindOperation(app, 'docsPage', async ({ parameters: { page }, reply }) => renderPage(page, reply));
  bindOperation(app, 'gettingStarted', async ({ parameters: { page }, reply }) =>
    renderPage(`getting-started/${page}`, reply),
  );
}

function renderPage(path: string, reply: FastifyReply): string {
  const page = findPage(path);
  if (page === undefined && path !== 'operations') {
    throw new RecollectError('NOT_FOUND', 'There is no such page. See /docs for all pages.');
  }
  reply.header('content-security-policy', docsPolicy);
  return page === undefined ? operationsPage : layout({ path: `/docs/${path}`, title: page.title, html: page.html });
}
