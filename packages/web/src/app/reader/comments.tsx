import type { MemoryDetail } from '@recollect/contract';
import { count, displayed } from '@recollect/contract/text';
import { shortDay } from '@recollect/ui/dates';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { renderMarkdown } from '../markdown/render-markdown.js';

/** The comments below a page, closed at first: other people's words. */
export function Comments({ comments }: Pick<MemoryDetail, 'comments'>) {
  const [isOpen, setOpen] = useState(false);
  if (comments.length === 0) return null;
  return (
    <details class="comments" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{count(comments.length, 'comment')}</summary>
      {isOpen && comments.map((comment, place) => <Comment key={place} {...comment} />)}
    </details>
  );
}

function Comment({ author, published, text }: MemoryDetail['comments'][number]) {
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    root.current?.replaceChildren(...renderMarkdown(text, { showsImages: false }));
  }, [text]);
  return (
    <section>
      <p class="comment-author">
        <bdi>{displayed(author) || 'Unknown'}</bdi>
        {published !== undefined && <time dateTime={published}> · {shortDay(published)}</time>}
      </p>
      <div ref={root} dir="auto" />
    </section>
  );
}
