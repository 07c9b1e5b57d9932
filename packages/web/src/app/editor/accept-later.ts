import { acceptCompletion, completionStatus } from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';

/** A title that is being typed, at the end of a text. */
const OPEN_LINK = /\[\[[^[\]\n|#]*$/;

/**
 * Lets Enter choose a title that the server is still being asked for: the first one is taken as soon as it is there.
 * Otherwise an Enter right after the last letter would begin a line, as it does if there is no title. More letters take
 * the Enter back.
 */
export function acceptLater(): Extension {
  let isWaiting = false;
  return [
    keymap.of([
      {
        key: 'Enter',
        run: ({ state }) => {
          const { from, text } = state.doc.lineAt(state.selection.main.head);
          const isOpen = OPEN_LINK.test(text.slice(0, state.selection.main.head - from));
          isWaiting = isOpen && completionStatus(state) === 'pending';
          return isWaiting;
        },
      },
    ]),
    EditorView.updateListener.of(({ docChanged, selectionSet, view, state }) => {
      if (docChanged || selectionSet) isWaiting = false;
      if (!isWaiting || completionStatus(state) === 'pending') return;
      isWaiting = false;
      // An update must not cause another one.
      queueMicrotask(() => acceptCompletion(view) || view.dispatch(view.state.replaceSelection('\n')));
    }),
  ];
}
