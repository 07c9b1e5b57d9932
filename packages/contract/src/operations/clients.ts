import Type from 'typebox';
import { PackageParameters, SetupAnswer } from '../extension.js';
import { McpAnswer, McpMessage } from '../mcp.js';
import { routes } from '../routes.js';
import type { Operation } from './operation.js';

/** Operations for the browser extension, assistants and the bookmarklet. */
export const clientOperations = {
  extensionSetup: {
    ...routes.extensionSetup,
    scope: 'public',
    summary: 'Returns the URLs, authentication mode and capabilities that a browser extension needs.',
    answers: { 200: SetupAnswer },
    problems: [],
  },
  extensionPackage: {
    ...routes.extensionPackage,
    scope: 'public',
    summary: 'Returns the browser extension for this deployment as a ZIP file.',
    query: PackageParameters,
    produces: 'application/zip',
    responseHeaders: { 'content-disposition': 'attachment, with the file name.' },
    answers: { 200: Type.Unsafe<Uint8Array>(Type.String({ format: 'binary' })) },
    problems: ['VALIDATION_FAILED'],
  },
  mcp: {
    ...routes.mcp,
    scope: 'any',
    summary: 'Handles one message of the Model Context Protocol (Streamable HTTP), for assistants.',
    body: McpMessage,
    budget: 'mcp',
    headers: {
      'mcp-protocol-version': 'The negotiated protocol revision. Send it with every message after initialize.',
      'mcp-session-id': 'The id from the response to initialize. It identifies the client and holds no state.',
      'mcp-method': 'The method. Sent since revision 2026-07-28.',
      'mcp-name': 'The name of the tool, prompt or resource. Sent since revision 2026-07-28.',
    },
    responseHeaders: { 'mcp-session-id': 'Set on the response to initialize. Send it with the messages that follow.' },
    answers: { 200: McpAnswer, 202: null, 400: McpAnswer, 404: McpAnswer },
    problems: ['VALIDATION_FAILED', 'NOT_FOUND'],
  },
  savePage: {
    ...routes.savePage,
    scope: 'public',
    summary:
      'Returns the page that the bookmarklet and the share menu open. The bookmarklet puts the capture into the URL fragment, which is not sent.',
    query: Type.Object({
      title: Type.Optional(Type.String()),
      text: Type.Optional(Type.String()),
      url: Type.Optional(Type.String()),
    }),
    produces: 'text/html',
    allowsCrossSiteNavigation: true,
    answers: { 200: Type.String() },
    problems: [],
  },
} as const satisfies Record<string, Operation>;
