import type { Highlight, MemoryDetail } from '@recollect/contract';
import { count } from '@recollect/contract/text';
import { client, explain } from '../api/client.js';
import { announce, announceFailure } from './status.js';

/** Downloads memories as one Markdown file. */
export async function exportMemories(ids: readonly string[]): Promise<void> {
  try {
    const parts: string[] = [];
    for (const id of ids) parts.push(toMarkdown(await client('getMemory', { parameters: { id } })));
    download(`recollect-${new Date().toISOString().slice(0, 10)}.md`, parts.join('\n\n---\n\n'));
    announce(`${count(ids.length, 'memory', 'memories')} exported.`);
  } catch (error) {
    announceFailure(explain(error));
  }
}

/** A memory as Markdown, with its facts above the text. */
export function toMarkdown({ title, url, capturedAt, tags, note, text }: MemoryDetail): string {
  const facts = [
    url === null ? '' : `Source: <${url}>`,
    `Saved: ${capturedAt}`,
    tags.length === 0 ? '' : `Tags: ${tags.join(', ')}`,
    note === null ? '' : `Note: ${note}`,
  ];
  return [`# ${title}`, facts.filter((fact) => fact !== '').join('  \n'), text].join('\n\n');
}

/** Highlights as quotations, in Markdown. */
export function quotesOf(
  { title, url }: Pick<MemoryDetail, 'title' | 'url'>,
  highlights: readonly Highlight[],
): string {
  const heading = url === null ? `## ${title}` : `## [${title.replace(/[[\]]/g, '\\$&')}](${url})`;
  const quotes = highlights.map(
    ({ quote, note }) => `${quote.replace(/^/gm, '> ')}${note === null ? '' : `\n\n${note}`}`,
  );
  return [heading, ...quotes].join('\n\n');
}

/** Saves a text as a file of the user. */
export function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/markdown;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1_000);
}
