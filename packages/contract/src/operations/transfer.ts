import Type from 'typebox';
import { routes } from '../routes.js';
import { ExportParameters, ImportFileParameters, ImportPreview, ImportReport, ItemsReport } from '../transfer.js';
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
    summary: 'Restores the memories of an export with their ids. Changes no memory that exists.',
    consumes: 'application/x-ndjson',
    answers: { 200: ImportReport },
    problems: ['EXPORT_UNREADABLE', 'IMPORT_RUNNING'],
  },
  importFile: {
    ...routes.importFile,
    scope: 'memory:write',
    summary:
      'Imports what another program has exported: a file, also compressed, or a ZIP archive. Importing it again adds nothing.',
    consumes: 'application/octet-stream',
    query: ImportFileParameters,
    answers: { 200: ItemsReport },
    problems: ['EXPORT_UNREADABLE', 'IMPORT_RUNNING', 'PAYLOAD_TOO_LARGE'],
  },
  previewImport: {
    ...routes.previewImport,
    scope: 'memory:write',
    summary: 'Returns what an import of a file would read: programs, counts and the first titles. Changes nothing.',
    consumes: 'application/octet-stream',
    query: ImportFileParameters,
    answers: { 200: ImportPreview },
    problems: ['IMPORT_RUNNING', 'PAYLOAD_TOO_LARGE'],
  },
} as const satisfies Record<string, Operation>;
