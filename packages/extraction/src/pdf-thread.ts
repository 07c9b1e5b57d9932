import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import type { PdfContent, Reply, Request } from './messages.js';
import { PdfProblem, readPdf } from './pdf/index.js';

if (parentPort === null) throw new Error('This file runs as a worker thread.');
const port = parentPort;

// The library prints warnings about drawing and damaged documents to the server's terminal.
for (const method of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) console[method] = () => {};

/** Files of the library: the characters of Chinese, Japanese and Korean fonts, and the widths of the standard fonts. */
const library = import.meta.resolve('pdfjs-dist/package.json');
const files = {
  cMapUrl: fileURLToPath(new URL('./cmaps/', library)),
  standardFontDataUrl: fileURLToPath(new URL('./standard_fonts/', library)),
};

port.on('message', async ({ id, bytes }: Request<PdfContent>) => {
  const answer = (reply: Reply) => port.postMessage(reply);
  answer({ id, hasBegun: true });
  try {
    answer({ id, article: await readPdf(bytes, files) });
  } catch (error) {
    if (error instanceof PdfProblem) answer({ id, problem: error.message });
    else answer({ id, error: error instanceof Error ? error.message : String(error) });
  }
});
