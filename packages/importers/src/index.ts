export { createExportReader, type ExportReaderOptions } from './export-reader.js';
export { importFile } from './import-file.js';
export type { Importer, ImportFile, Item, SkippedItem } from './importer.js';
export { findImporter, importers } from './importers.js';
export { inlineTags } from './inline-tags.js';
export { type OtherFile, type ReadFilesOptions, readFiles, UnreadableArchiveError } from './read-files.js';
export { dateOfName } from './values.js';
