import type { ComponentChildren } from 'preact';

/** The id of the heading of a page of the settings. */
export const PAGE_TITLE = 'settings-title';

interface Props {
  /** The heading of the section. Without it, the title of the page names the section. */
  heading?: { id: string; title: string };
  problem?: string;
  /** Whether its content is not there yet. The style sheet hides the next sections until then, so that none moves. */
  isLoading?: boolean;
  children: ComponentChildren;
}

/** A part of a page of the settings. */
export function Section({ heading, problem = '', isLoading = false, children }: Props) {
  const isBusy = isLoading && problem === '';
  return (
    <section class="settings-section" aria-labelledby={heading?.id ?? PAGE_TITLE} aria-busy={isBusy}>
      {heading !== undefined && <h2 id={heading.id}>{heading.title}</h2>}
      {problem !== '' && <p role="alert">{problem}</p>}
      {problem === '' && !isBusy && children}
    </section>
  );
}
