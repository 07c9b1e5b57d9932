import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { plainText, stopWords } from '@recollect/contract/text';
import { expect, test } from 'vitest';
import { describeApp, eventually } from './open-app.js';

const DOCS = fileURLToPath(new URL('../../../../docs', import.meta.url));
const TEXTS = 30;
const LONG = 1_200;
const REMEMBERED = 10;

/** Long texts: the project's documents, and their chapters. */
async function readLongTexts(): Promise<string[]> {
  const files = (await readdir(DOCS, { recursive: true })).filter((file) => file.endsWith('.md')).sort();
  const documents = await Promise.all(files.map((file) => readFile(join(DOCS, file), 'utf8')));
  const chapters = documents.flatMap((document) => document.split(/^(?=## )/m).slice(1));
  const long = [...documents, ...chapters].filter(({ length }) => length > LONG);
  return long.filter((text) => chooseAnswer(text).question.split(' ').length >= 5).slice(0, TEXTS);
}

/**
 * A paragraph in the second half of a text, and what one remembers of it: the words of its longest sentence that say
 * something.
 */
function chooseAnswer(text: string): { paragraph: string; question: string } {
  const paragraphs = text.split(/\n{2,}/).filter((block) => /^[A-Z]/.test(block) && block.length > 150);
  const paragraph = paragraphs[Math.floor(paragraphs.length * 0.6)] ?? '';
  // Commands stand in blocks of code too.
  const sentences = plainText(paragraph)
    .split(/(?<=[.!?:;])\s+/)
    .filter((sentence) => !/\d|recollect [a-z]/.test(sentence));
  const [longest = ''] = sentences.sort((a, b) => b.length - a.length);
  const words = (longest.match(/\p{L}{3,}/gu) ?? []).filter((word) => !stopWords.has(word.toLowerCase()));
  return { paragraph, question: words.slice(0, REMEMBERED).join(' ') };
}

const collapse = (text: string) => text.replace(/\s+/g, ' ').trim();

describeApp('long texts', (app) => {
  test('QRY-9: the block that holds the answer is marked, in each of thirty', async () => {
    const texts = await readLongTexts();
    expect(texts).toHaveLength(TEXTS);
    const wrong: string[] = [];
    for (const [at, text] of texts.entries()) {
      const { paragraph, question } = chooseAnswer(text);
      const [id = ''] = await app().save({ title: `Text ${at}`, pageText: text });
      const { results } = await app().server.client('query', { body: { query: question, limit: 50 } });
      const passage = results.find((result) => result.id === id)?.match.passage;
      expect([at, passage]).toEqual([at, { start: expect.any(Number), end: expect.any(Number) }]);
      await app().open(`/memory/${id}?q=${encodeURIComponent(question)}&at=${passage?.start}-${passage?.end}`);
      const marked = app().page.locator('.passage');
      await eventually(() => marked.count()).toBe(1);
      const found = collapse(await marked.innerText());
      if (!collapse(plainText(paragraph)).startsWith(found.slice(0, 50)))
        wrong.push(`${question}: ${found.slice(0, 80)}`);
      await app().server.client('deleteMemory', { parameters: { id } });
    }
    expect(wrong).toEqual([]);
  });
});
