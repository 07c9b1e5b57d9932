import type { SettingsSection } from '@recollect/contract/vocabulary';
import type { IconName } from '@recollect/ui';
import { addressOf } from '../api/base-path.js';

interface SettingsPage {
  section: SettingsSection;
  name: string;
  icon: IconName;
}

/** The pages of the settings, in their order. */
export const settingsPages: readonly SettingsPage[] = [
  { section: 'connect', name: 'Connect', icon: 'link' },
  { section: 'import-export', name: 'Import and export', icon: 'upload' },
  { section: 'backups', name: 'Backups', icon: 'backup' },
  { section: 'languages', name: 'Languages', icon: 'globe' },
  { section: 'appearance', name: 'Appearance', icon: 'appearance' },
  { section: 'plugins', name: 'Plugins', icon: 'plugin' },
  { section: 'privacy', name: 'Privacy', icon: 'shield' },
  { section: 'people', name: 'People', icon: 'key' },
  { section: 'health', name: 'Health', icon: 'health' },
];

/** The address of a page of the settings. */
export function settingsAddress(section: SettingsSection): string {
  return addressOf(`/settings/${section}`);
}
