import { compareExtractors } from './compare-extractors.js';
import { readPages } from './page-set.js';
import { type PagesScore, scorePages } from './score-pages.js';

/**
 * Prints how well the extension and the server find the text of the pages in a file, beside Readability and Defuddle.
 */
export async function printComparison(path: string): Promise<void> {
  const pages = await readPages(path);
  const { texts, times, scriptBytes } = await compareExtractors(pages, () => process.stderr.write('.'));
  process.stderr.write('\n');
  console.log(`${path}: ${pages.length} pages`);
  const scores = Object.entries(texts).map(([name, found]) => [name, scorePages(pages, found)] as const);
  for (const [name, score] of scores) console.log(`  ${name.padEnd(12)} ${describe(score)}`);
  console.log(
    `  A page takes ${times.browser.toFixed(1)} times as long as with Readability (Defuddle ${times.Defuddle.toFixed(1)}). The script has ${(scriptBytes / 1_000).toFixed(0)} KB with gzip.`,
  );
  console.log('  The worst pages of the extension:');
  for (const { url, score } of scores[0]?.[1].worst ?? []) console.log(`    ${score.toFixed(3)} ${url}`);
}

function describe({ empty, runs, words, phrases }: PagesScore): string {
  const parts: string[] = [];
  const describeF1 = (name: string, { f1, precision, recall }: NonNullable<PagesScore['runs']>) =>
    `${name} ${f1.toFixed(4)} (precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)})`;
  if (runs !== undefined) parts.push(describeF1('F1 of runs', runs));
  if (words !== undefined)
    parts.push(
      Object.entries(words)
        .map(([kind, f1]) => `${kind} ${f1.toFixed(3)}`)
        .join(', '),
    );
  if (phrases !== undefined) parts.push(describeF1('F1 of phrases', phrases));
  if (empty > 0) parts.push(`${empty} without text`);
  return parts.join('; ');
}
