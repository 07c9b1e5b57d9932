import { isPdf } from '@recollect/contract/text';
import { RecollectError } from '../error.js';
import type { Article, ArticleExtractor } from '../ports/index.js';
import { decodeBase64 } from './bytes.js';
import type { Content } from './choose-content.js';

/**
 * The text of a raw page or a PDF; null for other contents. Throws EXTRACTION_FAILED when it cannot be read, and
 * VALIDATION_FAILED for bytes that are not a PDF.
 */
export async function extractText(
  content: Content,
  url: string | null,
  extractor: ArticleExtractor | null,
): Promise<Article | null> {
  if (!('html' in content || 'pdf' in content)) return null;
  const what = 'html' in content ? 'page' : 'PDF';
  if (extractor === null) throw new RecollectError('EXTRACTION_FAILED', `A ${what} cannot be read here. ${INSTEAD}`);
  try {
    return await ('html' in content
      ? extractor.extract(content.html, url)
      : extractor.extractPdf(readPdf(content.pdf)));
  } catch (cause) {
    if (cause instanceof RecollectError) throw cause;
    const reason = `The ${what} could not be read: its reader failed on it.`;
    throw new RecollectError('EXTRACTION_FAILED', `${reason} ${INSTEAD}`, { cause });
  }
}

const INSTEAD = 'Save its text instead.';

const NO_PDF = 'must be a PDF in Base64';

function readPdf(base64: string): Uint8Array {
  const bytes = decodeBase64(base64);
  if (bytes === null || !isPdf(bytes, { isDeclared: true }))
    throw new RecollectError('VALIDATION_FAILED', `pdf ${NO_PDF}.`, { errors: [{ pointer: '/pdf', message: NO_PDF }] });
  return bytes;
}
