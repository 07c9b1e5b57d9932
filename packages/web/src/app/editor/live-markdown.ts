import { HighlightStyle, syntaxHighlighting, syntaxTree } from '@codemirror/language';
import type { EditorState, Range } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import type { SyntaxNodeRef } from '@lezer/common';
import { tags } from '@lezer/highlight';
import { widgetOf } from './widget.js';

/** The signs that are hidden where the cursor is not, by the blocks and phrases whose signs they are. */
const SIGNS: Readonly<Record<string, RegExp>> = {
  HeaderMark: /^ATXHeading/,
  EmphasisMark: /Emphasis$/,
  StrikethroughMark: /^Strikethrough$/,
  CodeMark: /^InlineCode$/,
  LinkMark: /^Link$/,
  URL: /^Link$/,
};

const hidden = Decoration.replace({});
const noteLink = Decoration.mark({ class: 'note-link' });

/** The text as it will look: headings, emphasis, boxes and links, without their signs where the cursor is not. */
export const liveMarkdown = [
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: tags.heading1, fontSize: '1.5em', fontWeight: '700', lineHeight: '1.3' },
      { tag: tags.heading2, fontSize: '1.3em', fontWeight: '650', lineHeight: '1.3' },
      { tag: tags.heading, fontSize: '1.125em', fontWeight: '650' },
      { tag: tags.strong, fontWeight: '700' },
      { tag: tags.emphasis, fontStyle: 'italic' },
      { tag: tags.strikethrough, textDecoration: 'line-through' },
      { tag: tags.monospace, fontFamily: 'var(--mono)', fontSize: '0.9em' },
      { tag: [tags.link, tags.url], color: 'var(--accent)' },
      { tag: tags.quote, color: 'var(--soft)' },
      { tag: [tags.processingInstruction, tags.contentSeparator], color: 'var(--soft)' },
    ]),
  ),
  ViewPlugin.define((view) => followView(view, decorate), { decorations: ({ decorations }) => decorations }),
  ViewPlugin.define(
    (view) => {
      const matcher = new MatchDecorator({ regexp: /!?\[\[[^[\]\n]{1,400}\]\]/g, decoration: noteLink });
      const plugin = {
        decorations: matcher.createDeco(view),
        update: (update: ViewUpdate) => {
          plugin.decorations = matcher.updateDeco(update, plugin.decorations);
        },
      };
      return plugin;
    },
    { decorations: ({ decorations }) => decorations },
  ),
];

/** A plugin whose decorations are made again with each change of the text, the selection, the view or the focus. */
function followView(first: EditorView, make: (view: EditorView) => DecorationSet) {
  const plugin = {
    decorations: make(first),
    update({ view, state, startState, docChanged, selectionSet, viewportChanged, focusChanged }: ViewUpdate) {
      const isParsed = syntaxTree(state) !== syntaxTree(startState);
      if (docChanged || selectionSet || viewportChanged || focusChanged || isParsed) plugin.decorations = make(view);
    },
  };
  return plugin;
}

function decorate(view: EditorView): DecorationSet {
  const decorations: Range<Decoration>[] = [];
  for (const { from, to } of view.visibleRanges) {
    syntaxTree(view.state).iterate({
      from,
      to,
      enter: (node) => {
        if (node.name === 'TaskMarker') decorations.push(taskBox(view, node));
        else if (isHidden(view, node)) decorations.push(hidden.range(...signOf(view.state, node)));
      },
    });
  }
  return Decoration.set(decorations, true);
}

function isHidden(view: EditorView, { name, node }: SyntaxNodeRef): boolean {
  const { parent } = node;
  if (parent === null || SIGNS[name]?.test(parent.name) !== true) return false;
  return !isEdited(view, parent);
}

/** Whether the cursor or the selection touches a part of the text. */
export function isEdited(view: EditorView, { from, to }: { from: number; to: number }): boolean {
  return view.hasFocus && view.state.selection.ranges.some((range) => range.from <= to && range.to >= from);
}

/** A sign with its space after a heading, and both brackets of `[[name]]`, of which the inner ones make a link. */
function signOf({ doc }: EditorState, { name, from, to }: SyntaxNodeRef): [from: number, to: number] {
  const [before, after] = [doc.sliceString(from - 1, from), doc.sliceString(to, to + 1)];
  const sign = doc.sliceString(from, to);
  if (name === 'HeaderMark' && after === ' ') return [from, to + 1];
  if (sign === '[' && before === '[') return [from - 1, to];
  return sign === ']' && after === ']' ? [from, to + 1] : [from, to];
}

/** A box that can be ticked in place of `[ ]`. */
function taskBox(view: EditorView, { from, to, node }: SyntaxNodeRef): Range<Decoration> {
  const { state } = view;
  const item = node.parent?.parent;
  const start = item == null || isEdited(view, item) ? from : item.from;
  const isDone = state.doc.sliceString(from + 1, from + 2) !== ' ';
  const widget = widgetOf(`task ${isDone}`, () => {
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = isDone;
    box.ariaLabel = 'Done';
    box.tabIndex = -1;
    box.onmousedown = (event) => {
      event.preventDefault();
      const mark = view.state.doc.lineAt(view.posAtDOM(box));
      const at = mark.from + mark.text.search(/\[[ xX]\]/);
      view.dispatch({ changes: { from: at + 1, to: at + 2, insert: isDone ? ' ' : 'x' } });
    };
    return box;
  });
  return Decoration.replace({ widget }).range(start, to);
}
