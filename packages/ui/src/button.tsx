import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.js';

/** `quiet` has neither border nor background until it is hovered. */
export type ButtonVariant = 'primary' | 'plain' | 'danger' | 'quiet';

interface Options extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children' | 'class' | 'className'> {
  variant?: ButtonVariant;
  class?: string;
}

interface Labelled extends Options {
  icon?: IconName | undefined;
  children: ComponentChildren;
}

/** Without text, a button needs an icon and an accessible name, which is also its tooltip. */
interface IconOnly extends Options {
  icon: IconName;
  children?: never;
  'aria-label': string;
}

export type ButtonProps = Labelled | IconOnly;

/**
 * A button, of type `button` by default. It takes every attribute of the native element.
 *
 * @example
 * <Button variant="primary" type="submit">Save</Button>;
 * <Button variant="quiet" icon="trash" aria-label="Delete" onClick={remove} />;
 */
export function Button({ variant = 'plain', icon, children, class: extra, ...attributes }: ButtonProps) {
  const isIconOnly = children === undefined;
  const names = ['button', variant, isIconOnly && 'icon-only', extra].filter(Boolean);
  const tooltip = isIconOnly && { title: attributes['aria-label'] };
  return (
    <button type="button" {...tooltip} {...attributes} class={names.join(' ')}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}
