import { Icon, type IconName } from '@recollect/ui';
import type { ComponentChildren } from 'preact';

interface Props {
  title: string;
  icon?: IconName;
  children: ComponentChildren;
}

/** Something that can be set up or begun, among others like it. */
export function Card({ title, icon, children }: Props) {
  return (
    <section class="card" aria-label={title}>
      <h3>
        {icon !== undefined && <Icon name={icon} />}
        {title}
      </h3>
      {children}
    </section>
  );
}
