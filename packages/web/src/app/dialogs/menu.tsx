import { Button, type IconName } from '@recollect/ui';
import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';

/** Pixels that a menu keeps from the edges of the window, and from its button. */
const GAP_PX = 8;

interface Props {
  label: string;
  icon: IconName;
  /** Whether it closes when something in it is pressed. */
  closesOnPress?: boolean;
  /** Called before it opens. */
  onOpen?: () => void;
  children: ComponentChildren;
}

/** A button that opens a panel. The browser closes it with Escape and by a press outside, and gives the focus back. */
export function Menu({ label, icon, closesOnPress = true, onOpen, children }: Props) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const place = () => {
    const [element, opener] = [panel.current, document.querySelector(`[popovertarget="${id}"]`)];
    if (element === null || opener === null) return;
    const { bottom, right } = opener.getBoundingClientRect();
    const left = Math.min(right - element.offsetWidth, innerWidth - element.offsetWidth - GAP_PX);
    element.style.left = `${Math.max(GAP_PX, left)}px`;
    element.style.top = `${bottom + GAP_PX}px`;
    element.style.maxBlockSize = `${innerHeight - bottom - 2 * GAP_PX}px`;
  };
  return (
    <>
      <Button variant="quiet" icon={icon} aria-label={label} popovertarget={id} />
      {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: keys press the buttons in it. */}
      <div
        ref={panel}
        id={id}
        popover="auto"
        class="menu"
        onBeforeToggle={({ newState }) => {
          if (newState === 'open') onOpen?.();
        }}
        onToggle={({ newState }) => {
          if (newState === 'open') place();
        }}
        onClick={({ target }) => {
          if (closesOnPress && target instanceof Element && target.closest('a, button') !== null)
            panel.current?.hidePopover();
        }}
      >
        {children}
      </div>
    </>
  );
}
