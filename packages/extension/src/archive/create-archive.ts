import type { SetupAnswer } from '@recollect/contract';
import { ZipFile } from 'yazl';
import { type SetupFile, setupFileName } from '../setup-file.js';
import { builtFile } from './files.js';
import { type Browser, createManifest, ICON_SIZES, iconPath } from './manifest.js';
import { createReadme } from './readme.js';

export const archiveName = 'recollect-everywhere.zip';

export interface ArchiveOptions extends Pick<SetupAnswer, 'product' | 'connection'> {
  /** OpenClaw hosts, with or without a port. */
  openclawHosts: readonly string[];
  browser?: Browser;
}

/**
 * Packs the extension for one deployment as a ZIP file. Its files contain no secret. The same options and version
 * give the same bytes.
 */
export async function createArchive({
  product,
  connection,
  openclawHosts,
  browser = 'chromium',
}: ArchiveOptions): Promise<Buffer> {
  const setup: SetupFile = { product, connection, surfaces: { openclaw: openclawHosts } };
  const version = product.extensionVersion;
  const files: Readonly<Record<string, Buffer>> = {
    'manifest.json': json(createManifest({ baseUrl: connection.baseUrl, version, browser })),
    'popup.html': builtFile('popup.html'),
    'popup.css': builtFile('popup.css'),
    'popup.js': builtFile('popup.js'),
    'content.js': builtFile('content.js'),
    'background.js': builtFile('background.js'),
    'README.md': Buffer.from(createReadme(connection, browser)),
    [setupFileName]: json(setup),
    ...Object.fromEntries(ICON_SIZES.map((size) => [iconPath(size), builtFile(iconPath(size))])),
  };
  const zip = new ZipFile();
  // ZIP stores local time without a time zone, so a fixed local time gives the same bytes everywhere.
  const mtime = new Date(1980, 0, 1);
  for (const [name, content] of Object.entries(files)) {
    zip.addBuffer(content, name, { mtime, mode: 0o100644, forceDosTimestamp: true });
  }
  zip.end();
  const parts: Buffer[] = [];
  for await (const part of zip.outputStream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function json(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}
