import type { ComponentChildren } from 'preact';

/** The id of the heading of a page of the settings. */
export const PAGE_TITLE = 'settings-title';

interface Props {
  /** The heading of the section. Without it, the title of the page names the section. */
  heading?: { id: string; title: string };
  problem?: string;
  children: ComponentChildren;
}

/** A part of a page of the settings. */
export function Section({ heading, problem = '', children }: Props) {
  return (
    <section class="settings-section" aria-labelledby={heading?.id ?? PAGE_TITLE}>
      {heading !== undefined && <h2 id={heading.id}>{heading.title}</h2>}
      {problem === '' ? children : <p role="alert">{problem}</p>}
    </section>
  );
}
