import { extensionKey, type SetupAnswer } from '@recollect/contract';
import { ZipFile } from 'yazl';
import { saveCommand } from '../saving/commands.js';
import { type SetupFile, setupFileName } from '../setup-file.js';
import { builtFile } from './files.js';

/** Pixels. */
export const ICON_SIZES = [16, 32, 48, 128] as const;

export const iconPath = (size: number) => `icon-${size}.png`;

/** The target browser. Firefox accepts no port in a host permission and warns about unknown keys. */
export type Browser = 'chromium' | 'firefox';

/** The extension's manifest for one deployment, with permission for that deployment only. */
export function createManifest({ baseUrl, version, browser }: { baseUrl: string; version: string; browser: Browser }) {
  const { protocol, host, hostname } = new URL(baseUrl);
  return {
    manifest_version: 3,
    name: 'Recollect Everywhere',
    short_name: 'Recollect',
    description: `Saves pages, selections and conversations to your Recollect at ${host}, and finds them again.`,
    // Browsers reject a version with a suffix such as "-beta".
    version: version.replace(/[-+].*$/s, ''),
    ...(/[-+]/.test(version) ? { version_name: version } : {}),
    ...(browser === 'chromium' ? { key: extensionKey, minimum_chrome_version: '123' } : {}),
    icons: iconPaths(ICON_SIZES),
    action: { default_icon: iconPaths([16, 32]), default_popup: 'popup.html', default_title: 'Save to Recollect' },
    // Firefox runs the same script in an event page.
    background: browser === 'chromium' ? { service_worker: 'background.js' } : { scripts: ['background.js'] },
    commands: {
      _execute_action: { suggested_key: { default: 'Alt+Shift+R' } },
      [saveCommand]: {
        suggested_key: { default: 'Alt+Shift+S' },
        description: 'Save the selection, conversation or page to Recollect',
      },
    },
    permissions: ['activeTab', 'scripting', 'storage'],
    host_permissions: [`${protocol}//${browser === 'chromium' ? host : hostname}/*`],
    browser_specific_settings: { gecko: { id: 'recollect-everywhere@recollect.local', strict_min_version: '128.0' } },
  };
}

function iconPaths(sizes: readonly number[]): Record<string, string> {
  return Object.fromEntries(sizes.map((size) => [size, iconPath(size)]));
}

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
It was built for that address: it has permission for no other address, and contains no key.

${STEPS[browser]}
Then press the toolbar button on any page. Documentation: ${docsUrl}
`;
}
