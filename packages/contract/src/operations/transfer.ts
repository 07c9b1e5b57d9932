import Type from 'typebox';
import { routes } from '../routes.js';
import { ExportParameters, ImportList, ImportParameters, ImportPreview, ImportReport } from '../transfer.js';
import type { Operation } from './operation.js';

/** All memories in one file, and back. */
export const transferOperations = {
  export: {
    ...routes.export,
    scope: 'memory:read',
    summary: 'Returns all memories, one line each (docs/export.schema.json). The last line says that it is complete.',
    query: ExportParameters,
    produces: 'application/x-ndjson',
    answers: { 200: Type.String() },
    problems: ['VALIDATION_FAILED'],
  },
  import: {
    ...routes.import,
    scope: 'memory:write',
    summary:
      'Imports an export of Recollect, or what another program has exported: a file, also compressed, or an archive. Importing it again adds nothing.',
    consumes: ['application/octet-stream', 'application/x-ndjson'],
    query: ImportParameters,
    answers: { 200: ImportReport },
    problems: ['EXPORT_UNREADABLE', 'IMPORT_RUNNING', 'PAYLOAD_TOO_LARGE', 'VALIDATION_FAILED'],
  },
  listImports: {
    ...routes.listImports,
    scope: 'memory:read',
    summary: 'Returns the latest imports, newest first. Each is a change that can be undone.',
    answers: { 200: ImportList },
    problems: [],
  },
  previewImport: {
    ...routes.previewImport,
    scope: 'memory:write',
    summary: 'Returns what an import of a file would read: programs, counts and the first titles. Changes nothing.',
    consumes: ['application/octet-stream'],
    query: ImportParameters,
    answers: { 200: ImportPreview },
    problems: ['EXPORT_UNREADABLE', 'IMPORT_RUNNING', 'PAYLOAD_TOO_LARGE', 'VALIDATION_FAILED'],
  },
} as const satisfies Record<string, Operation>;
