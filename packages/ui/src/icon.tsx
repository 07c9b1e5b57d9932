import { type IconName, iconPaths } from './icon-paths.js';

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
