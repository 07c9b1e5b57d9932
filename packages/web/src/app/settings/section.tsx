import type { ComponentChildren } from 'preact';

interface Props {
  id: string;
  title: string;
  problem?: string;
  children: ComponentChildren;
}

/** A part of the settings, to which a link can lead. */
export function Section({ id, title, problem = '', children }: Props) {
  return (
    <section class="settings-section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {problem === '' ? children : <p role="alert">{problem}</p>}
    </section>
  );
}
