import { autocompletion, type CompletionSource, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { markdownKeymap, markdownLanguage } from '@codemirror/lang-markdown';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { acceptLater } from './accept-later.js';
import { completeTitles } from './complete-titles.js';
import { liveMarkdown } from './live-markdown.js';
import { slashMenu } from './slash-menu.js';
import { renderedTables } from './tables.js';
import { theme } from './theme.js';

export interface EditorOptions {
  /** The element in whose shadow the editor lives: the page's policy forbids the style elements that it would add. */
  host: HTMLElement;
  /** The accessible name. */
  name: string;
  text: string;
  hint: string;
  onInput: (text: string) => void;
  /** Called with the files that were pasted or dropped, if one of them is an image. */
  onImages: (files: readonly File[]) => void;
}

/** A text that is edited. */
export interface Editor {
  /** Shows another text; keeps the place of the cursor as far as possible. */
  setText: (text: string) => void;
  setReadOnly: (isReadOnly: boolean) => void;
  focus: () => void;
  close: () => void;
}

/** Opens an editor for Markdown, which shows the text as it will look, and its signs where the cursor is. */
export function createEditor({ host, name, text, hint, onInput, onImages }: EditorOptions): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open', delegatesFocus: true });
  root.replaceChildren();
  const access = new Compartment();
  /** The text that the page knows, so that its own answer is not compared with the whole text. */
  let last = text;
  const view = new EditorView({
    root,
    parent: root as unknown as Element,
    state: EditorState.create({
      doc: text,
      extensions: [
        markdownLanguage,
        history(),
        autocompletion({ override: [complete], icons: false, interactionDelay: 0 }),
        acceptLater(),
        keymap.of([...completionKeymap, ...markdownKeymap, ...historyKeymap, ...defaultKeymap.filter(isFree)]),
        liveMarkdown,
        renderedTables,
        theme,
        placeholder(hint),
        EditorView.lineWrapping,
        EditorView.perLineTextDirection.of(true),
        EditorView.contentAttributes.of({ 'aria-label': name, spellcheck: 'true', autocapitalize: 'sentences' }),
        access.of([]),
        EditorView.updateListener.of(({ docChanged, state }) => {
          const now = docChanged ? state.doc.toString() : last;
          if (now === last) return;
          last = now;
          onInput(now);
        }),
        EditorView.domEventHandlers({ paste: takeImages, drop: takeImages }),
      ],
    }),
  });
  function takeImages(event: ClipboardEvent | DragEvent): boolean {
    const { files = [] } = (event instanceof ClipboardEvent ? event.clipboardData : event.dataTransfer) ?? {};
    if (!Array.from(files).some(({ type }) => type.startsWith('image/'))) return false;
    event.preventDefault();
    event.stopPropagation();
    onImages([...files]);
    return true;
  }
  Object.defineProperty(host, 'value', { configurable: true, get: () => view.state.doc.toString() });
  return {
    setText(next) {
      if (next === last) return;
      last = next;
      const { head } = view.state.selection.main;
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: next },
        selection: { anchor: Math.min(head, next.length) },
      });
    },
    setReadOnly(isReadOnly) {
      view.dispatch({ effects: access.reconfigure(EditorState.readOnly.of(isReadOnly)) });
    },
    focus: () => view.focus(),
    close: () => view.destroy(),
  };
}

/**
 * One source for both: while a second source has no answer yet, the keys of the open list do nothing, and Enter begins
 * a line.
 */
const complete: CompletionSource = (context) => slashMenu(context) ?? completeTitles(context);

/** The form saves with this key. */
const isFree = ({ key }: { key?: string | undefined }) => key !== 'Mod-Enter';
