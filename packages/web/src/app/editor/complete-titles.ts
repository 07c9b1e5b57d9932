import type { Completion, CompletionSource } from '@codemirror/autocomplete';
import { noteLinkAt } from '@recollect/contract/text';
import { client } from '../api/client.js';
import { memoryAddress } from '../state/query.js';

/** Titles that are offered. */
const MAX_TITLES = 8;

/** Completes the titles of memories after `[[`. */
export const completeTitles: CompletionSource = async (context) => {
  const typed = context.matchBefore(/\[\[[^[\]\n|#]{0,100}$/);
  if (typed === null) return null;
  const answer = await client('completeTitles', {
    body: { prefix: typed.text.slice(2), limit: MAX_TITLES },
  }).catch(() => null);
  if (answer === null || context.aborted) return null;
  const options = answer.memories.map(
    ({ id, title }): Completion => ({
      label: title,
      apply: (view, _, from, to) => {
        const link = `[[${title}]]`;
        // A title with brackets or a slash cannot be a name.
        const isName = noteLinkAt(link)?.target === title.trim() && !title.includes('/');
        const insert = isName ? link : `[${title.replace(/[[\]\\]/g, '\\$&')}](${memoryAddress(id, '')})`;
        const after = view.state.doc.sliceString(to, to + 2) === ']]' ? to + 2 : to;
        const start = from - 2;
        view.dispatch({ changes: { from: start, to: after, insert }, selection: { anchor: start + insert.length } });
      },
    }),
  );
  return { from: typed.from + 2, options, filter: false };
};
