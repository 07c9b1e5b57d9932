import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import { type EditorState, type Range, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import { renderMarkdown } from '../markdown/render-markdown.js';
import { widgetOf } from './widget.js';

/** Characters of a text up to which its tables are drawn. Longer texts show their signs. */
const MAX_CHARACTERS = 200_000;
/** Milliseconds for finding the tables of a text. The editor parses the rest of a longer one in the background. */
const PARSE_MS = 50;

/** Draws the tables in which the cursor is not. A press on one leads into it. */
export const renderedTables = StateField.define<DecorationSet>({
  create: drawTables,
  update: (drawn, { docChanged, selection, startState, state }) =>
    docChanged || selection !== undefined || syntaxTree(startState) !== syntaxTree(state) ? drawTables(state) : drawn,
  provide: (field) => EditorView.decorations.from(field),
});

function drawTables(state: EditorState): DecorationSet {
  const tables: Range<Decoration>[] = [];
  if (state.doc.length > MAX_CHARACTERS) return Decoration.none;
  const tree = ensureSyntaxTree(state, state.doc.length, PARSE_MS) ?? syntaxTree(state);
  tree.iterate({
    enter: ({ name, from, to }) => {
      if (name !== 'Table') return;
      const isEdited = state.selection.ranges.some((range) => range.from <= to && range.to >= from);
      if (!isEdited) tables.push(drawTable(state.doc.sliceString(from, to)).range(from, to));
    },
  });
  return Decoration.set(tables);
}

function drawTable(text: string): Decoration {
  const widget = widgetOf(`table ${text}`, (view) => {
    const box = document.createElement('div');
    box.className = 'drawn-table';
    box.append(...renderMarkdown(text, { showsImages: false }));
    box.onmousedown = (event) => {
      event.preventDefault();
      view.dispatch({ selection: { anchor: view.posAtDOM(box) } });
      view.focus();
    };
    return box;
  });
  return Decoration.replace({ widget, block: true });
}
