import { splitQuery } from '@recollect/contract/query-syntax';
import { Icon, type IconName } from '@recollect/ui';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { Menu } from '../dialogs/menu.js';
import { hasPageBefore } from '../shell/page-title.js';
import { type Item, items } from '../state/library.js';
import { listedQuery, loadMore } from '../state/load-list.js';
import { memoryAddress, searchAddress } from '../state/query.js';
import { currentPlace, type Outline } from './outline.js';
import { OutlineList } from './outline-list.js';

import { chooseText, type TextSettings, textChoices, textSettings } from './text-settings.js';

interface Props {
  id: string;
  /** The contents of the text, unless they are beside it. */
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

/** The addresses of the memories before and after one in the list that it was opened from; null if there is none. */
function useNeighbours(id: string): { previous: string | null; next: string | null } {
  const listed = items.value ?? [];
  const at = listed.findIndex((item) => item.id === id);
  const { words } = splitQuery(listedQuery.value ?? '');
  const addressOf = (item: Item | undefined) =>
    at < 0 || item === undefined ? null : memoryAddress(item.id, words, item.match?.passage);
  const isLast = at >= 0 && at === listed.length - 1;
  useEffect(() => {
    if (isLast) void loadMore();
  }, [isLast]);
  return { previous: addressOf(listed[at - 1]), next: addressOf(listed[at + 1]) };
}

/** The headings of a text, or the questions of a conversation, to jump to. */
function OutlineMenu({ outline }: { outline: Outline }) {
  const [current, setCurrent] = useState(-1);
  return (
    <Menu label={outline.label} icon="contents" onOpen={() => setCurrent(currentPlace(outline))}>
      <nav aria-label={outline.label}>
        <OutlineList outline={outline} current={current} />
      </nav>
    </Menu>
  );
}

const NAMES: Readonly<Record<keyof TextSettings | TextSettings[keyof TextSettings], string>> = {
  size: 'Size',
  small: 'Small',
  medium: 'Medium',
  large: 'Large',
  larger: 'Larger',
  largest: 'Largest',
  font: 'Typeface',
  sans: 'Sans serif',
  serif: 'Serif',
  width: 'Width',
  narrow: 'Narrow',
  wide: 'Wide',
  leading: 'Line height',
  tight: 'Tight',
  normal: 'Normal',
  loose: 'Loose',
  theme: 'Theme',
  app: 'App',
  light: 'Light',
  sepia: 'Sepia',
  dark: 'Dark',
};

/** How the text looks: its size, its typeface, its width, its line height and its colours. */
function TextMenu() {
  return (
    <Menu label="Text settings" icon="text" closesOnPress={false}>
      {(Object.keys(textChoices) as (keyof TextSettings)[]).map((name) => (
        <fieldset key={name} class={`text-choice ${name}`}>
          <legend>{NAMES[name]}</legend>
          <div class="segments">
            {textChoices[name].map((value) => (
              <label key={value}>
                <input
                  type="radio"
                  name={`text-${name}`}
                  checked={textSettings.value[name] === value}
                  onChange={() => chooseText(name, value)}
                />
                <span>{NAMES[value]}</span>
              </label>
            ))}
          </div>
        </fieldset>
      ))}
    </Menu>
  );
}

interface ProgressLineProps {
  /** The text, once it is complete. */
  article: HTMLElement | null;
  /** Called with the share of the text that was scrolled past, from 0 to 1, whenever it changes. */
  onProgress?: (share: number) => void;
}

/** A line that grows as the text is read. It is decoration: the scroll bar says the same. */
function ProgressLine({ article, onProgress }: ProgressLineProps) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (article === null) return;
    let frame = 0;
    const update = () => {
      const { bottom } = article.getBoundingClientRect();
      // Content below the last line of the text does not count.
      const length = scrollY + bottom - innerHeight;
      const share = length <= 0 ? 1 : Math.min(1, Math.max(0, scrollY / length));
      if (line.current !== null) {
        line.current.style.scale = `${share} 1`;
        line.current.hidden = length <= 0;
      }
      onProgress?.(share);
    };
    const later = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(update);
    };
    const sizes = new ResizeObserver(later);
    sizes.observe(article);
    addEventListener('scroll', later, { passive: true });
    addEventListener('resize', later);
    return () => {
      cancelAnimationFrame(frame);
      sizes.disconnect();
      removeEventListener('scroll', later);
      removeEventListener('resize', later);
    };
  }, [article]);
  return <div ref={line} class="reader-progress" aria-hidden="true" hidden />;
}
