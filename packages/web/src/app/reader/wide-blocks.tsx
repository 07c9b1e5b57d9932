import { Button } from '@recollect/ui';
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { copyText } from '../state/copy-text.js';

/**
 * Prepares blocks that may be wider than the text: code gets its buttons, and code and tables show on which side more
 * is hidden. Returns a function that stops following their sizes.
 */
export function prepareWideBlocks(root: HTMLElement): () => void {
  for (const pre of root.querySelectorAll<HTMLElement>('.code > pre')) {
    const tools = document.createElement('div');
    tools.className = 'code-tools';
    pre.before(tools);
    render(<CodeTools pre={pre} />, tools);
  }
  const update = (element: Element) => {
    // From right to left, offsets are negative.
    const hidden = Math.abs(element.scrollLeft);
    element.classList.toggle('more-before', hidden > 1);
    element.classList.toggle('more-after', element.scrollWidth - element.clientWidth - hidden > 1);
  };
  const stopped = new AbortController();
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) update(target);
  });
  for (const element of root.querySelectorAll('.code > pre, .table')) {
    sizes.observe(element);
    element.addEventListener('scroll', () => update(element), { passive: true, signal: stopped.signal });
  }
  return () => {
    sizes.disconnect();
    stopped.abort();
    for (const tools of root.querySelectorAll('.code-tools')) {
      render(null, tools);
      tools.remove();
    }
  };
}

function CodeTools({ pre }: { pre: HTMLElement }) {
  const [isWrapped, setWrapped] = useState(false);
  return (
    <>
      <Button
        variant="quiet"
        icon="wrap"
        class="code-wrap"
        aria-label="Wrap lines"
        aria-pressed={isWrapped}
        onClick={() => setWrapped(pre.classList.toggle('wrapped'))}
      />
      <Button
        variant="quiet"
        icon="copy"
        aria-label="Copy code"
        onClick={() => void copyText(pre.textContent, 'Code copied.')}
      />
    </>
  );
}
