export { type ArchiveOptions, archiveName, createArchive, createStoreArchive } from './create-archive.js';
export { type Browser, createManifest } from './create-manifest.js';
