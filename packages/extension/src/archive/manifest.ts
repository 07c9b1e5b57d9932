import { extensionKey } from '@recollect/contract';

/** Which browser an archive is for: Firefox takes no port in a permission for a host, and warns of a key that it does not know. */
export type Browser = 'chromium' | 'firefox';

/** The manifest of the extension for one deployment, with permission for that alone. */
export function createManifest({ baseUrl, version, browser }: { baseUrl: string; version: string; browser: Browser }) {
  const { protocol, host, hostname } = new URL(baseUrl);
  return {
    manifest_version: 3,
    name: 'Recollect Everywhere',
    short_name: 'Recollect',
    description: `Saves pages, selections and conversations to your Recollect at ${host}, and finds them again.`,
    // Browsers load no version with a word in it.
    version: version.replace(/[-+].*$/, ''),
    ...(/[-+]/.test(version) ? { version_name: version } : {}),
    ...(browser === 'chromium' ? { key: extensionKey, minimum_chrome_version: '123' } : {}),
    action: { default_popup: 'popup.html', default_title: 'Save to Recollect' },
    permissions: ['activeTab', 'scripting', 'storage'],
    host_permissions: [`${protocol}//${browser === 'chromium' ? host : hostname}/*`],
    browser_specific_settings: { gecko: { id: 'recollect-everywhere@recollect.local', strict_min_version: '128.0' } },
  };
}
