export { type ArchiveOptions, archiveName, createArchive } from './create-archive.js';
export { type Browser, createManifest } from './manifest.js';
