import { extensionKey } from '@recollect/contract';
import { saveCommand } from '../saving/commands.js';

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
