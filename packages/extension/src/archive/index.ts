export { type ArchiveOptions, archiveName, type Browser, createArchive, createManifest } from './create-archive.js';
