import type { SourceType } from '@recollect/contract/vocabulary';
import { type IconName, iconPaths } from './icon-paths.js';

const ICONS: Readonly<Record<SourceType, IconName>> = {
  url: 'page',
  note: 'note',
  file: 'file',
  chatgpt: 'chat',
  claude: 'chat',
  openclaw: 'chat',
};
const NAMES: Readonly<Record<SourceType, string>> = {
  url: 'Page',
  note: 'Note',
  file: 'File',
  chatgpt: 'ChatGPT',
  claude: 'Claude',
  openclaw: 'OpenClaw',
};

/** The name of the source of a memory, as users know it. */
export function sourceName(sourceType: SourceType): string {
  return NAMES[sourceType];
}

/** An icon for the source of a memory, with its name for screen readers and on hover. */
export function SourceIcon({ sourceType }: { sourceType: SourceType }) {
  return (
    <svg class={`icon source ${sourceType}`} viewBox="0 0 16 16" role="img" aria-label={NAMES[sourceType]}>
      <title>{NAMES[sourceType]}</title>
      <path d={iconPaths[ICONS[sourceType]]} />
    </svg>
  );
}
