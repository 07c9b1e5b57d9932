import type { SetupAnswer } from '@recollect/contract';
import { ZipFile } from 'yazl';
import { type SetupFile, setupFileName } from '../setup-file.js';
import { type Browser, createManifest, createStoreManifest, ICON_SIZES, iconPath } from './create-manifest.js';
import { builtFile } from './files.js';

export const archiveName = 'recollect-everywhere.zip';

/** The files of every archive, besides its manifest and the icons. */
const COMMON_FILES = [
  'popup.html',
  'popup.css',
  'popup.js',
  'content.js',
  'highlights.js',
  'highlights.css',
  'panel.html',
  'panel.js',
  'background.js',
] as const;

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
  return pack({
    'manifest.json': json(createManifest({ baseUrl: connection.baseUrl, version, browser })),
    ...builtFiles([...COMMON_FILES, 'options.html', 'options.js']),
    'README.md': Buffer.from(createReadme(connection, browser)),
    [setupFileName]: json(setup),
    ...builtFiles(ICON_SIZES.map(iconPath)),
  });
}

/** Packs the extension for the store of a browser. It belongs to no deployment. */
export function createStoreArchive({ version, browser }: { version: string; browser: Browser }): Promise<Buffer> {
  return pack({
    'manifest.json': json(createStoreManifest({ version, browser })),
    ...builtFiles([...COMMON_FILES, 'connect.html', 'connect.js']),
    ...builtFiles(ICON_SIZES.map(iconPath)),
  });
}

function builtFiles(names: readonly string[]): Record<string, Buffer> {
  return Object.fromEntries(names.map((name) => [name, builtFile(name)]));
}

async function pack(files: Readonly<Record<string, Buffer>>): Promise<Buffer> {
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

const STEPS: Readonly<Record<Browser, string>> = {
  chromium: `Chrome, Chromium, Edge, Brave, Opera, Vivaldi:

1. Unpack this archive into its own folder, and keep that folder.
2. Open chrome://extensions and switch on "Developer mode".
3. Press "Load unpacked" and choose the folder.
`,
  firefox: `Firefox:

1. Open about:debugging and "This Firefox".
2. Press "Load Temporary Add-on" and choose this archive. Firefox removes it when Firefox closes.
3. Create a key with "recollect keys create", and enter it when the extension asks for one.
`,
};

/** The README in the archive. */
function createReadme({ baseUrl, docsUrl }: SetupAnswer['connection'], browser: Browser): string {
  return `# Recollect Everywhere

This extension saves pages, selections and conversations to your Recollect at ${baseUrl}, and searches what you saved.
It was built for that address, and contains no key. It gets permission for other pages only if you switch on highlights
or the side panel in its options.

${STEPS[browser]}
Then press the toolbar button on any page. Documentation: ${docsUrl}
`;
}
