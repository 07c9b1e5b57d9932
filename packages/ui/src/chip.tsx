import { displayed } from '@recollect/contract/text';
import type { ComponentChildren, MouseEventHandler } from 'preact';
import { Icon } from './icon.js';
import { formatNumber } from './numbers.js';

export interface ChipProps {
  label: string;
  /** A mark before the label, such as the icon of a tag. */
  mark?: ComponentChildren;
  /** A number after the label, such as how many memories have a tag. */
  count?: number | undefined;
  /** Makes the label a link. */
  href?: string | undefined;
  /** Makes the label a button, or handles the clicks of the link. */
  onClick?: MouseEventHandler<HTMLElement> | undefined;
  /** Adds a button that removes the chip. */
  onRemove?: (() => void) | undefined;
  /** The accessible name of that button. `Remove` and the label by default. */
  removeLabel?: string;
}

/**
 * A small label, such as a tag or a search operator.
 *
 * @example
 * <Chip label="tag:tea" onRemove={remove} />;
 * <Chip label="tea" count={12} href="/?q=tag:tea" />;
 */
export function Chip({
  label,
  mark,
  count,
  href,
  onClick,
  onRemove,
  removeLabel = `Remove ${displayed(label)}`,
}: ChipProps) {
  return (
    <span class="chip">
      <Label href={href} onClick={onClick}>
        {mark}
        {/* A label from a page may be written from right to left. */}
        <bdi>{displayed(label)}</bdi>
        {count !== undefined && <span class="chip-count">{formatNumber(count)}</span>}
      </Label>
      {onRemove !== undefined && (
        <button type="button" class="chip-remove" aria-label={removeLabel} title={removeLabel} onClick={onRemove}>
          <Icon name="close" />
        </button>
      )}
    </span>
  );
}

interface LabelProps {
  href: ChipProps['href'];
  onClick: ChipProps['onClick'];
  children: ComponentChildren;
}

function Label({ href, onClick, children }: LabelProps) {
  if (href !== undefined) {
    return (
      <a class="chip-label" href={href} onClick={onClick}>
        {children}
      </a>
    );
  }
  if (onClick === undefined) return <span class="chip-label">{children}</span>;
  return (
    <button type="button" class="chip-label" onClick={onClick}>
      {children}
    </button>
  );
}
