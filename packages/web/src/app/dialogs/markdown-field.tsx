import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { loadPage } from '../api/client.js';
import type { createEditor as CreateEditor, Editor } from '../editor/create-editor.js';

interface Props {
  /** The accessible name. */
  name: string;
  class: string;
  text: string;
  /** Shown while there is no text. */
  hint?: string;
  isReadOnly?: boolean;
  onInput: (text: string) => void;
  /** Handles files that were pasted or dropped, of which one is an image. Called for one paste after the other. */
  onImages: (files: readonly File[]) => Promise<void>;
}

/** The editor's code, once it is loaded. */
let createEditor: typeof CreateEditor | undefined;

/**
 * A field for Markdown that shows the text as it will look. Until the editor is loaded, and while the server is away,
 * it is a plain field, so that nobody waits for it.
 */
export function MarkdownField({ name, class: extra, text, hint = '', isReadOnly = false, onInput, onImages }: Props) {
  const [isLoaded, setLoaded] = useState(createEditor !== undefined);
  const host = useRef<HTMLDivElement>(null);
  const plain = useRef<HTMLTextAreaElement>(null);
  const editor = useRef<Editor | null>(null);
  const hadFocus = useRef(false);
  const latest = useRef({ text, onInput, onImages });
  latest.current = { text, onInput, onImages };
  const handled = useRef(Promise.resolve());

  useEffect(() => {
    if (isLoaded) return;
    let isShown = true;
    void loadPage(() => import('../editor/create-editor.js')).then((code) => {
      createEditor = code.createEditor;
      hadFocus.current = plain.current !== null && document.activeElement === plain.current;
      if (isShown) setLoaded(true);
    });
    return () => {
      isShown = false;
    };
  }, []);

  // Before the browser paints, so that the next keys go to the editor.
  useLayoutEffect(() => {
    if (host.current === null || createEditor === undefined) return;
    const opened = createEditor({
      host: host.current,
      name,
      text: latest.current.text,
      hint,
      onInput: (typed) => latest.current.onInput(typed),
      onImages: (files) => {
        handled.current = handled.current.then(() => latest.current.onImages(files));
      },
    });
    editor.current = opened;
    if (hadFocus.current) opened.focus();
    return () => opened.close();
  }, [isLoaded]);
  useLayoutEffect(() => editor.current?.setText(text), [text, isLoaded]);
  useLayoutEffect(() => editor.current?.setReadOnly(isReadOnly), [isReadOnly, isLoaded]);

  if (isLoaded) return <div ref={host} class={`markdown-field ${extra}`} data-first />;
  return (
    <textarea
      ref={plain}
      class={`markdown-field ${extra}`}
      data-first
      dir="auto"
      aria-label={name}
      placeholder={hint}
      value={text}
      readOnly={isReadOnly}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  );
}
