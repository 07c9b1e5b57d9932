import { useEffect, useRef } from 'preact/hooks';
import { loadPage } from '../api/client.js';

/** A text as the reader would show it. The renderer is loaded when it is first needed. */
export function MarkdownText({ name, text }: { name: string; text: string }) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let isShown = true;
    void loadPage(() => import('../markdown/render-markdown.js')).then(({ renderMarkdown }) => {
      if (isShown) root.current?.replaceChildren(...renderMarkdown(text, { showsImages: false }));
    });
    return () => {
      isShown = false;
    };
  }, [text]);
  return (
    <section
      ref={root}
      class="article markdown-text"
      aria-label={name}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, the keyboard cannot scroll.
      tabIndex={0}
    />
  );
}
