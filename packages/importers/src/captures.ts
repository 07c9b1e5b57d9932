import { captureModes } from '@recollect/contract/vocabulary';
import { defineImporter, type ImportFile, type Item, readEach } from './importer.js';
import { item } from './to-capture.js';
import { type Fields, fieldsIn, fieldsOf, instantOf, isFields, linesOf, textOf, textsOf } from './values.js';

/**
 * Captures as clients of mindstore and of Recollect send them: one, a list, either in an object that names it, or one
 * in each line.
 */
export const captures = defineImporter({
  program: 'mindstore and compatible (captures)',
  detects: (file) => [...capturesIn(file, FIRST_LINES)].some(hasContent),
  *read(file) {
    yield* readEach(capturesIn(file), readCapture, ({ title, url }) => textOf(title) || textOf(url));
  },
});

/** Lines by which a file is recognised. */
const FIRST_LINES = 2;

function capturesIn(file: ImportFile, mostLines?: number): Iterable<Fields> {
  if (file.isList) return fieldsOf(mostLines === undefined ? file.entries() : file.head());
  const json = file.object();
  if (json === undefined) return linesOf(file.text, mostLines);
  if (!isFields(json)) return [];
  if (Array.isArray(json.captures)) return fieldsIn(json.captures);
  return [isFields(json.capture) ? json.capture : json];
}

/** Whether an object has the fields of a capture: chats and pages of other programs have other fields. */
function hasContent({ selection, pageText, html, url, messages }: Fields): boolean {
  const said = fieldsIn(messages);
  return (
    textOf(selection) !== '' ||
    textOf(pageText) !== '' ||
    (textOf(html) !== '' && textOf(url) !== '') ||
    (said.length > 0 && said.every(({ role, text }) => textOf(role) !== '' && typeof text === 'string'))
  );
}

function readCapture(capture: Fields): Item {
  const [title, url] = [textOf(capture.title), textOf(capture.url)];
  if (!hasContent(capture)) return { skipped: title || url, reason: 'The capture has no text.', isExpected: true };
  const messages = fieldsIn(capture.messages).map(({ role, text }) => ({ role: textOf(role), text: textOf(text) }));
  const mode = captureModes.find((candidate) => candidate === capture.captureMode);
  return item({
    capture: {
      title,
      url: url || undefined,
      sourceApp: textOf(capture.sourceApp) || undefined,
      captureMode: mode,
      selection: textOf(capture.selection) || undefined,
      pageText: textOf(capture.pageText) || undefined,
      html: textOf(capture.html) || undefined,
      messages: messages.length > 0 ? messages : undefined,
      metadata: isFields(capture.metadata) ? { ...capture.metadata } : {},
      tags: textsOf(capture.tags),
      note: textOf(capture.note) || undefined,
      capturedAt: instantOf(capture.capturedAt),
    },
  });
}
