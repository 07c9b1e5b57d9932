import { displayed } from '@recollect/contract/text';
import { Age } from '@recollect/ui';
import { siteOf } from '@recollect/ui/site';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Item } from '../state/library.js';
import { memoryAddress } from '../state/query.js';
import { Cover } from './cover.js';

interface Props {
  name: string;
  /** The address of everything on it. */
  address: string;
  /** What the link to it says. */
  action?: string;
  /** Items of the list. */
  children: ComponentChildren;
}

/** One row of cards under a heading, which scrolls sideways. */
export function Shelf({ name, address, action, children }: Props) {
  const id = useId();
  const shown = displayed(name);
  return (
    <section class="shelf" aria-labelledby={id}>
      <header>
        <h2 id={id}>{shown}</h2>
        <a href={address} aria-label={action ?? `All of ${shown}`}>
          {action ?? 'All'}
        </a>
      </header>
      <ul class="plain-list" aria-labelledby={id}>
        {children}
      </ul>
    </section>
  );
}

/** A memory on a shelf. */
export function ShelfCard({ memory }: { memory: Item }) {
  const { id, title, url, capturedAt, readState, progress } = memory;
  const site = url === null ? '' : siteOf(url);
  return (
    <li class="shelf-card">
      <Cover memory={memory} />
      {readState === 'reading' && <span class="shelf-progress" style={{ inlineSize: `${progress * 100}%` }} />}
      <a class="row-title" href={memoryAddress(id, '')} dir="auto">
        {displayed(title)}
      </a>
      <p class="row-facts dotted">
        {site !== '' && <bdi>{site}</bdi>}
        {readState === 'reading' ? <span>{Math.round(progress * 100)} % read</span> : <Age instant={capturedAt} />}
      </p>
    </li>
  );
}
