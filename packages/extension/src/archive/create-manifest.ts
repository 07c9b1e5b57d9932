import { extensionKey } from '@recollect/contract';
import { saveCommand } from '../saving/commands.js';

/** Pixels. */
export const ICON_SIZES = [16, 32, 48, 128] as const;

export const iconPath = (size: number) => `icon-${size}.png`;

/** The target browser. Firefox accepts no port in a host permission and warns about unknown keys. */
export type Browser = 'chromium' | 'firefox';

/** The extension's manifest for one deployment, with permission for that deployment only, unless the user adds more. */
export function createManifest({ baseUrl, version, browser }: { baseUrl: string; version: string; browser: Browser }) {
  const { protocol, host, hostname } = new URL(baseUrl);
  return {
    ...commonPart(version, browser),
    description: `Saves pages, selections and conversations to your Recollect at ${host}, and finds them again.`,
    ...(/[-+]/.test(version) ? { version_name: version } : {}),
    ...(browser === 'chromium' ? { key: extensionKey } : {}),
    host_permissions: [`${protocol}//${browser === 'chromium' ? host : hostname}/*`],
    options_ui: { page: 'options.html', open_in_tab: true },
    browser_specific_settings: { gecko: { id: 'recollect-everywhere@recollect.local', strict_min_version: '128.0' } },
  };
}

/**
 * The manifest of the extension for a store. It belongs to no deployment: the user names one, and the browser asks for
 * permission for its origin.
 */
export function createStoreManifest({ version, browser }: { version: string; browser: Browser }) {
  return {
    ...commonPart(version, browser),
    description: 'Saves pages, selections and conversations to your own Recollect, and finds them again.',
    options_ui: { page: 'connect.html', open_in_tab: true },
    ...(browser === 'firefox'
      ? {
          browser_specific_settings: {
            gecko: {
              id: 'recollect-everywhere-store@recollect.local',
              // The first version that knows the permissions for data on every system.
              strict_min_version: '142.0',
              data_collection_permissions: { required: ['none'] },
            },
          },
        }
      : {}),
  };
}

function commonPart(version: string, browser: Browser) {
  return {
    manifest_version: 3,
    name: 'Recollect Everywhere',
    short_name: 'Recollect',
    // Browsers reject a version with a suffix such as "-beta".
    version: version.replace(/[-+].*$/s, ''),
    ...(browser === 'chromium' ? { minimum_chrome_version: '123' } : {}),
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
    // For highlights on pages, the side panel, and the server of the extension of a store.
    optional_host_permissions: ['http://*/*', 'https://*/*'],
    ...(browser === 'chromium'
      ? { optional_permissions: ['sidePanel'] }
      : {
          sidebar_action: {
            default_panel: 'panel.html',
            default_title: 'Recollect',
            default_icon: iconPaths([16, 32]),
            open_at_install: false,
          },
        }),
  };
}

function iconPaths(sizes: readonly number[]): Record<string, string> {
  return Object.fromEntries(sizes.map((size) => [size, iconPath(size)]));
}
