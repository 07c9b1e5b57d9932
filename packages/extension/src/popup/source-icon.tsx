import type { QueryAnswer } from '@recollect/contract';

type SourceType = QueryAnswer['results'][number]['sourceType'];

const CHAT =
  'M3 5.5A2.5 2.5 0 0 1 5.5 3h5A2.5 2.5 0 0 1 13 5.5v3a2.5 2.5 0 0 1-2.5 2.5H7l-3 2.5v-2.8A2.5 2.5 0 0 1 3 8.5z';
const PATHS: Readonly<Record<SourceType, string>> = {
  url: 'M4 2.5h5L12.5 6v7.5h-8.5zM9 2.5V6h3.5M6 8.5h4.5M6 11h4.5',
  note: 'M3 13l.8-3L10.5 3.3a1.3 1.3 0 0 1 1.8 0l.4.4a1.3 1.3 0 0 1 0 1.8L6 12.2z',
  chatgpt: CHAT,
  claude: CHAT,
  openclaw: CHAT,
};
const NAMES: Readonly<Record<SourceType, string>> = {
  url: 'Page',
  note: 'Note',
  chatgpt: 'ChatGPT',
  claude: 'Claude',
  openclaw: 'OpenClaw',
};

/** An icon for the source of a memory. */
export function SourceIcon({ sourceType }: { sourceType: SourceType }) {
  return (
    <svg class={`icon ${sourceType}`} viewBox="0 0 16 16" role="img" aria-label={NAMES[sourceType]}>
      <title>{NAMES[sourceType]}</title>
      <path
        d={PATHS[sourceType]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.3"
        stroke-linejoin="round"
        stroke-linecap="round"
      />
    </svg>
  );
}
