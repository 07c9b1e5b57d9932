import { defineImporter, type Item } from './importer.js';
import { item } from './to-capture.js';
import { type Fields, fieldsIn, fieldsOf, instantOf, textOf } from './values.js';

/**
 * The activity of Gemini, as Takeout exports it in JSON: a question and its answer each. Which of them were one
 * conversation, the export does not say.
 */
export const gemini = defineImporter({
  program: 'Gemini',
  detects: (file) => fieldsIn(file.head()).some((entry) => isOfGemini(entry) && 'time' in entry),
  async *read(file) {
    const { htmlToMarkdown } = await import('./html-to-markdown.js');
    for (const entry of fieldsOf(file.entries()))
      if (isOfGemini(entry)) yield { name: textOf(entry.title), read: () => readActivity(entry, htmlToMarkdown) };
  },
});

function isOfGemini({ header }: Fields): boolean {
  return /^(?:gemini|bard)\b/i.test(textOf(header));
}

function readActivity(activity: Fields, toMarkdown: (html: string) => string): Item {
  const title = textOf(activity.title);
  const answer = fieldsIn(activity.safeHtmlItem)
    .map(({ html }) => toMarkdown(textOf(html)))
    .filter((text) => text !== '')
    .join('\n\n');
  if (answer === '') return { skipped: title, reason: 'Not a question with an answer.' };
  const question = title.replace(/^(?:prompted|said|asked) /i, '');
  return item({
    capture: {
      sourceApp: 'gemini',
      captureMode: 'conversation',
      messages: [
        { role: 'user', text: question },
        { role: 'assistant', text: answer },
      ],
      capturedAt: instantOf(activity.time),
    },
  });
}
