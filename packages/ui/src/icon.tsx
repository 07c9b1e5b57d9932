import type { SourceType } from '@recollect/contract/vocabulary';

/** The outlines of the icons, drawn with a stroke of 1.3 in a box of 16 × 16. */
const iconPaths = {
  appearance:
    'M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6zM8 1.8v1.4M8 12.8v1.4M1.8 8h1.4M12.8 8h1.4M3.6 3.6l1 1M11.4 11.4l1 1M12.4 3.6l-1 1M4.6 11.4l-1 1',
  archive: 'M2.2 3h11.6v3H2.2zM3.3 6v7h9.4V6M6.5 8.7h3',
  back: 'M8 3.5L3.5 8 8 12.5M4 8h9',
  backup: 'M2.5 3h11v3h-11zM3.5 6v7.2h9V6M6.5 8.7h3',
  bookmark: 'M4.5 2.5h7v11L8 10.8l-3.5 2.7z',
  check: 'M3 8.5l3.2 3.2L13 4.8',
  chat: 'M3 5.5A2.5 2.5 0 0 1 5.5 3h5A2.5 2.5 0 0 1 13 5.5v3a2.5 2.5 0 0 1-2.5 2.5H7l-3 2.5v-2.8A2.5 2.5 0 0 1 3 8.5z',
  chevron: 'M6 3.5L10.5 8 6 12.5',
  clock: 'M8 2.2a5.8 5.8 0 1 1 0 11.6A5.8 5.8 0 0 1 8 2.2zM8 4.8V8l2.2 1.6',
  close: 'M4 4l8 8M12 4l-8 8',
  contents: 'M6 4h7.5M6 8h7.5M6 12h7.5M2.7 4h.6M2.7 8h.6M2.7 12h.6',
  copy: 'M6 5.5h7.5v8H6zM10.5 5.5v-3H2.5v8H6',
  down: 'M3.5 6L8 10.5 12.5 6',
  download: 'M8 2.5v7.8M4.8 7.2L8 10.4l3.2-3.2M2.8 11v2.5h10.4V11',
  edit: 'M2.8 13.2l.7-3L11 2.7a1.2 1.2 0 0 1 1.7 0l.6.6a1.2 1.2 0 0 1 0 1.7l-7.5 7.5zM9.7 4l2.3 2.3',
  everything: 'M8 2.2l5.8 2.9L8 8 2.2 5.1zM2.2 8L8 10.9 13.8 8M2.2 10.9L8 13.8l5.8-2.9',
  expand: 'M2.8 6V2.8H6M10 2.8h3.2V6M13.2 10v3.2H10M6 13.2H2.8V10',
  file: 'M4 2.5h5L12.5 6v7.5h-8.5zM9 2.5V6h3.5',
  filter: 'M2.5 4.5h11M4.7 8h6.6M6.8 11.5h2.4',
  globe:
    'M8 2.2a5.8 5.8 0 1 1 0 11.6A5.8 5.8 0 0 1 8 2.2zM2.2 8h11.6M8 2.2c1.7 1.6 2.5 3.6 2.5 5.8S9.7 12.2 8 13.8C6.3 12.2 5.5 10.2 5.5 8S6.3 3.8 8 2.2z',
  grid: 'M2.5 2.5h4.5v4.5h-4.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5h-4.5zM9 9h4.5v4.5H9z',
  health: 'M1.8 8.3h3l1.7-4.5 3 8.4 1.7-3.9h3',
  highlight: 'M5.2 8.2l4.9-5.4 3.1 2.8-4.9 5.4-2.6.2-.7-.7zM5.7 11.2l-1.6 1.6H2.4l2.6-2.3M8.8 13.5h4.7',
  home: 'M2.5 7.3L8 2.6l5.5 4.7v6.2H9.8V9.4H6.2v4.1H2.5z',
  inbox: 'M2.5 9.3h2.9l1 1.7h3.2l1-1.7h2.9M2.5 9.3L4.6 3.2h6.8l2.1 6.1v3.9h-11z',
  info: 'M8 2.2a5.8 5.8 0 1 1 0 11.6A5.8 5.8 0 0 1 8 2.2zM8 7.3v3.6M8 5v.1',
  key: 'M5.5 7a3.3 3.3 0 1 1 0 6.6 3.3 3.3 0 0 1 0-6.6zM7.9 8.1l5.4-5.4M10.4 5.6l2 2',
  link: 'M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2.2-2.2a2.6 2.6 0 0 0-3.7-3.7l-.9.9M9.2 6.8a2.6 2.6 0 0 0-3.7 0L3.3 9A2.6 2.6 0 0 0 7 12.7l.9-.9',
  menu: 'M2.5 4.2h11M2.5 8h11M2.5 11.8h11',
  lines: 'M2.5 3.5h11M2.5 6.5h11M2.5 9.5h11M2.5 12.5h11',
  list: 'M2.5 3h11v3.5h-11zM2.5 9.5h11V13h-11z',
  more: 'M3.5 7.7a.3.3 0 1 1 0 .6.3.3 0 0 1 0-.6zM8 7.7a.3.3 0 1 1 0 .6.3.3 0 0 1 0-.6zM12.5 7.7a.3.3 0 1 1 0 .6.3.3 0 0 1 0-.6z',
  note: 'M3 13l.8-3L10.5 3.3a1.3 1.3 0 0 1 1.8 0l.4.4a1.3 1.3 0 0 1 0 1.8L6 12.2z',
  open: 'M7 3.5H3v9.5h9.5V9M9.5 2.8h3.7v3.7M13 3L7.5 8.5',
  page: 'M4 2.5h5L12.5 6v7.5h-8.5zM9 2.5V6h3.5M6 8.5h4.5M6 11h4.5',
  palette: 'M2.5 3.2h11v9.6h-11zM5 6.2L7 8 5 9.8M8.3 10h2.7',
  plugin: 'M5.8 2.2v3M10.2 2.2v3M3.8 5.2h8.4V8a4.2 4.2 0 0 1-8.4 0zM8 12.2v1.6',
  plus: 'M8 3v10M3 8h10',
  redo: 'M10.2 3l3 3-3 3M13 6H6.3a3.5 3.5 0 0 0 0 7H9',
  restore: 'M2.6 6.6a5.6 5.6 0 1 1-.1 2.4M2.4 3.2v3.5h3.5M8 5.2V8l2 1.4',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.3 10.3l3.4 3.4',
  select:
    'M4.3 2.7h7.4a1.6 1.6 0 0 1 1.6 1.6v7.4a1.6 1.6 0 0 1-1.6 1.6H4.3a1.6 1.6 0 0 1-1.6-1.6V4.3a1.6 1.6 0 0 1 1.6-1.6zM5.3 8.2l2 2 3.5-4',
  settings:
    'M2.5 4.5h5.2M11.3 4.5h2.2M9.5 2.7a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6zM2.5 11.5h2.2M8.3 11.5h5.2M6.5 9.7a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6z',
  shield: 'M8 2l5 1.9v3.9c0 3-2 5.2-5 6.4-3-1.2-5-3.4-5-6.4V3.9z',
  share: 'M8 10V2.5M5 5.2L8 2.3l3 2.9M5.2 7.5H3v6h10v-6h-2.2',
  speak: 'M2.5 6.2h2.3L8 3.4v9.2L4.8 9.8H2.5zM10.3 6a2.8 2.8 0 0 1 0 4M12 4.2a5.2 5.2 0 0 1 0 7.6',
  star: 'M8 2.2l1.8 3.7 4 .6-2.9 2.8.7 4L8 11.4l-3.6 1.9.7-4-2.9-2.8 4-.6z',
  statistics: 'M3 13.5V9M8 13.5V3M13 13.5V6.5',
  tag: 'M2.5 2.5h5.3l5.7 5.7a1 1 0 0 1 0 1.4l-3.9 3.9a1 1 0 0 1-1.4 0L2.5 7.8zM5.4 5.4v.1',
  text: 'M1.8 12.5L5.2 4l3.4 8.5M3 9.6h4.4M14 7.5v5M14 10a2.1 2.1 0 1 1-4.2 0A2.1 2.1 0 0 1 14 10z',
  trash: 'M2.8 4.3h10.4M6 4.3V2.5h4v1.8M4 4.3l.6 9.2h6.8l.6-9.2M6.6 6.8v4.2M9.4 6.8v4.2',
  undo: 'M5.8 3l-3 3 3 3M3 6h6.7a3.5 3.5 0 0 1 0 7H7',
  up: 'M3.5 10L8 5.5l4.5 4.5',
  upload: 'M8 10.3V2.5M4.8 5.6L8 2.4l3.2 3.2M2.8 11v2.5h10.4V11',
  wrap: 'M2.5 4h11M2.5 8h8.7a2.1 2.1 0 0 1 0 4.2H8.5M10 10.2l-2 2 2 2M2.5 12.2h3',
  warning: 'M8 2.5l6.2 11H1.8zM8 6.6v3.2M8 11.6v.1',
} as const satisfies Record<string, string>;

export type IconName = keyof typeof iconPaths;

export const iconNames = Object.keys(iconPaths) as IconName[];

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

/** Icons that point in the direction of the text, or back against it. */
const MIRRORED: ReadonlySet<IconName> = new Set(['back', 'chat', 'chevron', 'open', 'redo', 'undo']);

/**
 * An icon in the colour of the text around it. It is decoration: the element that contains it needs a name.
 *
 * @example
 * <Icon name="trash" />
 */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class={MIRRORED.has(name) ? 'icon mirrored' : 'icon'} viewBox="0 0 16 16" aria-hidden="true">
      <path d={iconPaths[name]} />
    </svg>
  );
}

/** A bookmark with a return arrow. */
export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 18 18" aria-hidden="true">
      <path d="M4 1.5h10v15l-5-3.6-5 3.6z" fill="currentColor" />
      <path
        d="M6.6 6.8a2.6 2.6 0 1 1 .7 2.5M6.3 4.6v2.4h2.4"
        fill="none"
        stroke="var(--back)"
        stroke-width="1.3"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
