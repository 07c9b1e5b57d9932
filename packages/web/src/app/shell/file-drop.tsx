import { useSignal } from '@preact/signals';
import type { Capture } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { count, encodeBase64 } from '@recollect/contract/text';
import { useLayoutEffect } from 'preact/hooks';
import { client, explain } from '../api/client.js';
import { deleteMemories } from '../state/changes.js';
import { loadList } from '../state/load-list.js';
import { announce, announceFailure } from '../state/status.js';

const TEXT =
  /\.(?:txt|text|md|markdown|csv|tsv|json|xml|ya?ml|log|tex|org|rst|srt|vtt|[cm]?[jt]sx?|py|rs|go|java|c|h|cpp|sh|sql|css)$/i;
/** Files that have a text in them. */
const DOCUMENT = /\.(?:mht|mhtml|eml|ipynb)$/i;
/** Files that may be exports, and cannot be saved as text. */
const EXPORT = /\.(?:zip|enex|gz|jsonl|ndjson)$/i;
const PAGE = /\.x?html?$/i;
const PDF = /\.pdf$/i;

/** Saves files that are dropped anywhere on the page. */
export function FileDrop() {
  const isOver = useSignal(false);
  useLayoutEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const onDragOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      isOver.value = true;
    };
    const onDragLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) isOver.value = false;
    };
    const onDrop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      isOver.value = false;
      void saveFiles([...(event.dataTransfer?.files ?? [])]);
    };
    const listeners = { dragover: onDragOver, dragleave: onDragLeave, drop: onDrop };
    for (const [name, listener] of Object.entries(listeners)) addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) removeEventListener(name, listener as EventListener);
    };
  }, []);
  return (
    <div class="file-drop" hidden={!isOver.value} aria-hidden="true">
      <p>Drop to save</p>
    </div>
  );
}

/** Saves text files and web pages as memories, one request each, so that a bad one does not keep the others out. */
export async function saveFiles(files: readonly File[]): Promise<void> {
  const saved: string[] = [];
  let known = 0;
  const problems: string[] = [];
  for (const file of files) {
    try {
      const { captures } = await client('capture', { body: await toCapture(file) });
      for (const { id, status } of captures) {
        if (status === 'created') saved.push(id);
        else known += 1;
      }
    } catch (error) {
      problems.push(`${file.name}: ${explain(error)}`);
    }
  }
  if (saved.length > 0) await loadList();
  const outcome = [
    saved.length === 0 ? '' : `${count(saved.length, 'file', 'files')} saved.`,
    known === 0 ? '' : `${count(known, 'file was', 'files were')} saved before.`,
    ...problems,
  ];
  const tell = problems.length > 0 ? announceFailure : announce;
  tell(
    outcome.filter((part) => part !== '').join(' '),
    saved.length === 0 ? undefined : async () => void (await deleteMemories(saved)),
  );
}

async function toCapture(file: File): Promise<Capture> {
  if (PDF.test(file.name) || file.type === 'application/pdf') return toPdfCapture(file);
  const isPage = PAGE.test(file.name) || file.type === 'text/html';
  const isDocument = DOCUMENT.test(file.name);
  if (!isPage && !isDocument && !TEXT.test(file.name) && !file.type.startsWith('text/'))
    throw new Error(
      EXPORT.test(file.name)
        ? 'What another program exported is imported in Settings, Import and export.'
        : 'Only text, Markdown, web pages, PDFs, mails and notebooks can be saved.',
    );
  if (file.size > limits.body.bytes) throw new Error('The file is larger than 16 MB.');
  // Loaded for files alone, with what guesses encodings.
  const { declaredCharset, decodeText } = await import('@recollect/importers/decode-text');
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (isDocument) {
    const { readDocument } = await import('@recollect/importers/read-document');
    const document = await readDocument(bytes, file.name);
    if (document !== null) return { ...document, fileName: file.name };
  }
  const content = decodeText(bytes, isPage ? declaredCharset(bytes) : undefined);
  if (content === null) throw new Error('The file is not text.');
  return { ...(isPage ? { html: content } : { pageText: content }), fileName: file.name };
}

async function toPdfCapture(file: File): Promise<Capture> {
  if (file.size > limits.capture.pdfBytes)
    throw new Error(`The PDF is larger than ${limits.capture.pdfBytes / 1_000_000} MB.`);
  return { pdf: encodeBase64(new Uint8Array(await file.arrayBuffer())), fileName: file.name };
}
