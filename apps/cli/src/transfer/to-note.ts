import type { ExportRecord } from '@recollect/contract';
import { isObject } from '@recollect/core';
import { stringify } from 'yaml';

/** A memory as a Markdown file with YAML front matter, whose properties Obsidian shows. Times are in UTC. */
export function toNote(record: ExportRecord): string {
  const { title, text, highlights } = record;
  const heading = /^\s*# /.test(text) ? '' : `# ${title.replace(/\s+/g, ' ').trim()}\n\n`;
  const marked = highlights.length === 0 ? '' : `\n\n## Highlights\n\n${highlights.map(toQuote).join('\n\n')}`;
  return `---\n${frontMatter(record)}---\n\n${heading}${text.trimEnd()}${marked}\n`;
}

function frontMatter(record: ExportRecord): string {
  const { id, title, url, tags, note, sourceApp, page, metadata, capturedAt, lastCapturedAt, updatedAt } = record;
  const own = ownProperties(metadata);
  const author = page.author ?? own.author;
  const properties = {
    title,
    ...(url === null ? {} : { url }),
    ...(tags.length === 0 ? {} : { tags: [...new Set(tags.map(toObsidianTag))] }),
    ...(note === null ? {} : { note }),
    ...(author === undefined ? {} : { author }),
    created: dateTime(capturedAt),
    ...(lastCapturedAt === capturedAt ? {} : { captured: dateTime(lastCapturedAt) }),
    modified: dateTime(updatedAt),
    source: own.source ?? sourceApp,
    id,
  };
  return stringify({ ...own, ...properties }, { lineWidth: 0 });
}

/** What the file of a memory had in its front matter, besides what a note says of each memory. */
function ownProperties({ frontMatter }: ExportRecord['metadata']): Record<string, unknown> {
  const fields = Object.entries(isObject(frontMatter) ? frontMatter : {});
  return Object.fromEntries(fields.filter(([name]) => !/^(?:tags?|keywords|note|id)$/i.test(name)));
}

/** As Obsidian's properties have it, which knows no time zones. */
function dateTime(instant: string): string {
  return instant.slice(0, 19);
}

/** Obsidian's tags have letters, digits, `_`, `-` and `/`, and not only digits. */
function toObsidianTag(tag: string): string {
  const clean = tag
    .replace(/^#+/, '')
    .replace(/[^\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Join_Control}_/-]+/gu, '-')
    .replace(/^-+|(?<!-)-+$/g, '');
  return clean === '' || /^\p{N}+$/u.test(clean) ? `_${clean}` : clean;
}

function toQuote({ quote, note }: ExportRecord['highlights'][number]): string {
  const lines = quote.split(/\r\n?|\n/).map((line) => `> ${line}`.trimEnd());
  return note === null ? lines.join('\n') : `${lines.join('\n')}\n\n${note}`;
}
