import { Icon, type IconName } from '@recollect/ui';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { hasPageBefore } from '../shell/page-title.js';
import { listedQuery } from '../state/load-list.js';
import { searchAddress } from '../state/query.js';
import type { Outline } from './outline.js';
import { OutlineMenu } from './outline-menu.js';
import { ProgressLine } from './progress-line.js';
import { TextMenu } from './text-menu.js';
import { useNeighbours } from './use-neighbours.js';

interface Props {
  id: string;
  outline: Outline | null;
  /** The text, once it is complete. */
  article: HTMLElement | null;
  /** The actions for the memory. */
  children: ComponentChildren;
}

/** The bar that stays over a memory: back and next, text settings and actions. */
export function ReaderBar({ id, outline, article, children }: Props) {
  const { route, query } = useLocation();
  const neighbours = useNeighbours(id);
  // A layout effect: while a key repeats, the next memory must listen as soon as it is shown.
  useLayoutEffect(() => {
    const onKey = ({ detail }: CustomEvent<string>) => {
      const address = detail === 'next' || detail === 'previous' ? neighbours[detail] : null;
      if (address !== null) route(address, true);
    };
    addEventListener('recollect-reader', onKey as EventListener);
    return () => removeEventListener('recollect-reader', onKey as EventListener);
  }, [neighbours.previous, neighbours.next]);
  return (
    <div class="reader-bar" role="toolbar" aria-label="Memory">
      <a
        class="button quiet reader-back"
        aria-label="Back"
        href={searchAddress(listedQuery.peek() ?? query.q ?? '')}
        onClick={goBack}
      >
        <Icon name="back" />
        <span>Back</span>
      </a>
      <Step name="Previous memory" icon="up" address={neighbours.previous} />
      <Step name="Next memory" icon="down" address={neighbours.next} />
      <span class="reader-bar-gap" />
      {outline !== null && <OutlineMenu outline={outline} />}
      <TextMenu />
      {children}
      <ProgressLine article={article} />
    </div>
  );
}

/** The way to another memory of the list, in place of this page, so that Back leads to the list. */
function Step({ name, icon, address }: { name: string; icon: IconName; address: string | null }) {
  const { route } = useLocation();
  if (address === null) return null;
  return (
    <a
      class="button quiet icon-only reader-step"
      href={address}
      aria-label={name}
      title={name}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        event.stopPropagation();
        route(address, true);
      }}
    >
      <Icon name={icon} />
    </a>
  );
}

/** Where the list or another page of the app led here, it is where it was left. */
function goBack(event: MouseEvent): void {
  if (!hasPageBefore()) return;
  event.preventDefault();
  event.stopPropagation();
  history.back();
}
