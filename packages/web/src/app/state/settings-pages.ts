import type { SettingsSection } from '@recollect/contract/vocabulary';
import type { IconName } from '@recollect/ui';
import { addressOf } from '../api/base-path.js';

interface SettingsPage {
  section: SettingsSection;
  name: string;
  icon: IconName;
  /** Whether it is about the deployment, and so only for its operator. */
  isOperated?: true;
}

/** The pages of the settings, in their order. */
export const settingsPages: readonly SettingsPage[] = [
  { section: 'connect', name: 'Connect', icon: 'link' },
  { section: 'import-export', name: 'Import and export', icon: 'upload' },
  { section: 'backups', name: 'Backups', icon: 'backup', isOperated: true },
  { section: 'languages', name: 'Languages', icon: 'globe', isOperated: true },
  { section: 'appearance', name: 'Appearance', icon: 'appearance' },
  { section: 'plugins', name: 'Plugins', icon: 'plugin' },
  { section: 'statistics', name: 'Statistics', icon: 'statistics' },
  { section: 'privacy', name: 'Privacy', icon: 'shield' },
  { section: 'people', name: 'People', icon: 'key', isOperated: true },
  { section: 'health', name: 'Health', icon: 'health', isOperated: true },
];

/** The address of a page of the settings. */
export function settingsAddress(section: SettingsSection): string {
  return addressOf(`/settings/${section}`);
}
