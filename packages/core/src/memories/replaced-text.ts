import type { Actor, MemoryPatch } from '@recollect/contract';
import { chooseContent, extractText } from '../drafts/content.js';
import { forCaller } from '../drafts/normalise-captures.js';
import { RecollectError } from '../error.js';
import type { ArticleExtractor } from '../ports/index.js';

/**
 * The text that an edit gives a memory, which may be the text of a raw page or a PDF. Undefined if the text stays.
 * Throws VALIDATION_FAILED for more than one of them, and EXTRACTION_FAILED.
 */
export async function replacedText(
  { text, html, pdf, extract }: Pick<MemoryPatch, 'text' | 'html' | 'pdf' | 'extract'>,
  url: () => Promise<string | null>,
  extractor: ArticleExtractor | null,
  actor: Actor | null,
): Promise<string | undefined> {
  const [first, second] = Object.entries({ text, html, pdf }).flatMap(([name, value]) =>
    value === undefined ? [] : name,
  );
  if (second !== undefined) {
    const errors = [{ pointer: `/${second}`, message: `must be left out beside ${first}` }];
    throw new RecollectError('VALIDATION_FAILED', 'Send one of text, html and pdf.', { errors });
  }
  if (html === undefined && pdf === undefined) return text;
  const content = chooseContent({ html, pdf, extract, captureMode: 'page' });
  if (content === null) return '';
  return (await extractText(content, await url(), forCaller(extractor, actor)))?.text ?? '';
}
