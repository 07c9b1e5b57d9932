import { createManifest, createStoreArchive } from '@recollect/extension/archive';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';

test.each(['chromium', 'firefox'] as const)(
  'EXT-8, EXT-11: the extension for the store of %s names no server',
  async (browser) => {
    const files = unzipSync(await createStoreArchive({ version: '0.1.0', browser }));
    const text = (name: string) => new TextDecoder().decode(files[name]);
    const manifest = JSON.parse(text('manifest.json'));
    expect(Object.keys(files).sort()).toEqual(
      [
        'manifest.json',
        ...['popup.html', 'popup.css', 'popup.js', 'connect.html', 'connect.js', 'content.js', 'background.js'],
        ...['highlights.js', 'highlights.css', 'panel.html', 'panel.js'],
        ...['icon-16.png', 'icon-32.png', 'icon-48.png', 'icon-128.png'],
      ].sort(),
    );
    const { permissions, optional_host_permissions } = createManifest({
      baseUrl: 'http://127.0.0.1:4545',
      version: '0.1.0',
      browser,
    });
    expect(manifest).toMatchObject({ permissions, optional_host_permissions, options_ui: { page: 'connect.html' } });
    expect(optional_host_permissions).toEqual(['http://*/*', 'https://*/*']);
    for (const key of ['key', 'host_permissions', 'content_scripts', 'web_accessible_resources', 'version_name'])
      expect(manifest).not.toHaveProperty(key);
    const isFirefox = browser === 'firefox';
    expect(manifest.background).toEqual(
      isFirefox ? { scripts: ['background.js'] } : { service_worker: 'background.js' },
    );
    expect(manifest.optional_permissions).toEqual(isFirefox ? undefined : ['sidePanel']);
    expect(manifest.sidebar_action).toEqual(
      isFirefox ? expect.objectContaining({ default_panel: 'panel.html', open_at_install: false }) : undefined,
    );
    expect(manifest.browser_specific_settings?.gecko?.data_collection_permissions).toEqual(
      isFirefox ? { required: ['none'] } : undefined,
    );
    expect(await createStoreArchive({ version: '0.1.0', browser })).toEqual(
      await createStoreArchive({ version: '0.1.0', browser }),
    );
  },
);
