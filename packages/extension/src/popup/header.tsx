import { Logo } from '@recollect/ui';
import type { ComponentChildren } from 'preact';

/** The header of each page of the extension: the name, and what stands beside it. */
export function Header({ children }: { children?: ComponentChildren }) {
  return (
    <header class="head">
      <h1>
        <Logo />
        Recollect
      </h1>
      {children}
    </header>
  );
}
