import type { Client } from '@recollect/contract/client';
import { limits } from '@recollect/contract/limits';
import type { KnownTag } from '@recollect/ui/tag-field';
import { useEffect, useMemo, useState } from 'preact/hooks';

/** Milliseconds without a keystroke before tags are looked up. */
const DEBOUNCE_MS = 100;
/** As many as the server gives. */
const MAX_TAGS = 50;

/** The tags that a field can offer: the last used ones, and older ones that match the typed text. */
export function useKnownTags(client: Client | null, typed: string): KnownTag[] {
  const recent = useCompletion(client, '', 0);
  const prefix = typed.replace(/^#/, '').trim();
  const matching = useCompletion(prefix === '' ? null : client, prefix, DEBOUNCE_MS);
  // Both are in the order of their last use, and recent tags were used later than the rest.
  return useMemo(() => [...new Set([...recent, ...matching])].map((tag) => ({ tag })), [recent, matching]);
}

/** The last answer of the server, since a field that waits for the next one keeps what it offers. */
function useCompletion(client: Client | null, prefix: string, delay: number): readonly string[] {
  const [tags, setTags] = useState<readonly string[]>([]);
  useEffect(() => {
    if (client === null || prefix.length > limits.capture.tagLength) return;
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(() => {
      client('completeTags', { body: { prefix, limit: MAX_TAGS }, signal }).then(
        (answer) => {
          if (!signal.aborted) setTags(answer.tags);
        },
        // Without suggestions, a tag is typed in full.
        () => {},
      );
    }, delay);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [client, prefix, delay]);
  return tags;
}
