import type { Actor, Capture } from '@recollect/contract';
import { isInstant } from '@recollect/contract/instant';
import { limits } from '@recollect/contract/limits';
import { siteOf } from '@recollect/contract/query-syntax';
import {
  clipText,
  isPageAddress,
  sliceText,
  splitTags,
  uniqueTags,
  wellFormed,
  withoutEmphasis,
  withoutHtml,
} from '@recollect/contract/text';
import { findUnstorable } from '@recollect/contract/unstorable';
import { type SourceType, surfaces } from '@recollect/contract/vocabulary';
import { type ChunkSizes, joinIntoChunks, measureText } from '../chunking/chunk-text.js';
import { RecollectError } from '../error.js';
import { type Comment, type NewMemory, UNOPENED } from '../memory.js';
import type { Article, ArticleExtractor, ReadYaml } from '../ports/index.js';
import { sha256 } from '../text/bytes.js';

import { createId } from '../text/create-id.js';
import { urlKey } from '../text/url-key.js';
import { normaliseComments } from './comments.js';
import {
  type Content,
  chooseContent,
  createConversation,
  extractText,
  joinTurns,
  measureTurns,
  withoutNul,
} from './content.js';
import { readFile } from './read-file.js';

const MAX_TITLE_CHARACTERS = 80;

/**
 * Derives a missing title: the first words of the text, else the site.
 *
 * @example
 * deriveTitle('# Green **tea**\nSteep it below boiling.', null); // 'Green tea'
 */
export function deriveTitle(text: string, site: string | null): string {
  const line = withoutHtml(text.slice(0, 2_000))
    .split('\n')
    .map((part) =>
      withoutEmphasis(part.replace(/^[#>*\-\s]+/, ''))
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .find((part) => part !== '');
  if (line === undefined) return site ?? 'Untitled';
  if (line.length <= MAX_TITLE_CHARACTERS) return line;
  const cut = sliceText(line, 0, MAX_TITLE_CHARACTERS);
  const space = cut.lastIndexOf(' ');
  return `${space > MAX_TITLE_CHARACTERS / 2 ? cut.slice(0, space) : cut}…`;
}

/** A map, because every object has a `constructor`, which could also be a URL's host. */
const SURFACE_OF_HOST: ReadonlyMap<string, (typeof surfaces)[number]> = new Map([
  ['chatgpt.com', 'chatgpt'],
  ['chat.openai.com', 'chatgpt'],
  ['claude.ai', 'claude'],
]);

/** Which client surface a capture is from, and the type of its memory (CAP-4). */
export function resolveSource(
  sourceApp: string | null,
  url: string | null,
  fileName: string | null = null,
): { sourceApp: string; sourceType: SourceType } {
  const app = sourceApp ?? (url === null ? undefined : SURFACE_OF_HOST.get(siteOf(url) ?? '')) ?? 'web';
  const surface = surfaces.find((name) => name === app.toLowerCase());
  return surface === undefined
    ? { sourceApp: app, sourceType: url !== null ? 'url' : fileName !== null ? 'file' : 'note' }
    : { sourceApp: surface, sourceType: surface };
}

/** Characters at the beginning of a page in which a browser says where it saved it from. */
const HEAD_CHARACTERS = 4_096;
const SINGLE_FILE =
  /<!--\s*Page saved with SingleFile\s+url:\s*(\S+)(?:\s+saved date:\s*([^\r\n]+?)\s*(?=[\r\n]|-->))?/i;
const SAVED_AS = /<!--\s*saved from url=\(\d+\)(\S+?)\s*-->/i;

/**
 * Where and when the file of a page was saved, as SingleFile and the "Save as" of browsers write it in a comment. Null
 * where it does not say. The date is ISO 8601 in UTC.
 */
export function readSavedPage(html: string): { url: string | null; date: string | null } {
  const head = html.slice(0, HEAD_CHARACTERS);
  const [, address, date = ''] = SINGLE_FILE.exec(head) ?? SAVED_AS.exec(head) ?? [];
  const url = address !== undefined && isPageAddress(address) ? address : null;
  const time = Date.parse(date);
  return { url, date: Number.isNaN(time) ? null : new Date(time).toISOString() };
}

export interface NormaliseOptions {
  extractor: ArticleExtractor | null;
  readYaml: ReadYaml | null;
  sizes: ChunkSizes;
  now: Date;
  sequence: number;
  actor: Actor | null;
  /** When the file of the capture was changed last, as ISO 8601 in UTC. */
  changedAt?: string | undefined;
}

/** A memory of a capture, without the hash of its text. */
export interface Normalised extends Omit<NewMemory, 'contentHash'> {
  /** A title that the capture's file was given, and not the capture. A known memory gets it too (CAP-7). */
  ownTitle?: string;
  /** Whether the title is stated by the page, and not chosen by a client. */
  isTitleStated: boolean;
  /** A sentence for the user about the part that could not be read. */
  warning?: string;
}

/**
 * Turns a capture into a memory, except for its hash: resolves mode and source, chooses the text and splits it. Null
 * when it has no content. Memories of the same instant are ordered by `sequence`. Throws VALIDATION_FAILED for values
 * that no schema can check, EXTRACTION_FAILED when a raw page cannot be read.
 */
export async function normaliseCapture(
  capture: Capture,
  { extractor, readYaml, sizes, now, sequence, actor, changedAt }: NormaliseOptions,
): Promise<Normalised | null> {
  const content = chooseContent(capture);
  if (content === null) return null;
  const fileName = nonEmpty(capture.fileName);
  const file = fileName === null || !('text' in content) ? null : await readFile(content.text, fileName, readYaml);
  const saved = fileName === null || !('html' in content) ? null : readSavedPage(content.html);
  const url = nonEmpty(capture.url) ?? file?.url ?? saved?.url ?? null;
  const key = url === null ? null : urlKey(url);
  if (url !== null && (key === null || !/^https?:/.test(key)))
    throw invalid('/url', 'must be an absolute http or https URL');
  const metadata = cleanMetadata({
    ...capture.metadata,
    ...(fileName === null ? {} : { fileName }),
    ...(file?.frontMatter ? { frontMatter: file.frontMatter } : {}),
  });
  const tags = cleanTags(capture.tags ?? []);
  if (tags.length > limits.capture.tags) throw invalid('/tags', `must have at most ${limits.capture.tags} tags`);
  const article = await extractText(content, url, extractor);
  const turns = 'turns' in content ? content.turns : null;
  const text =
    turns !== null
      ? joinTurns(turns)
      : 'text' in content
        ? (file?.text ?? content.text)
        : withoutNul(article?.text ?? '');
  if (text.trim() === '') return null;
  const site = url === null ? null : siteOf(url);
  const measured = turns === null ? [await measureText(text, sizes)] : await measureTurns(turns, sizes);
  const stated = [...(file?.dates ?? []), saved?.date, changedAt].find(
    (date) => date != null && date <= now.toISOString(),
  );
  const capturedAt = instant(capture.capturedAt) ?? stated ?? now.toISOString();
  return {
    memory: {
      id: createId(now, sequence),
      title: clipText(
        nonEmpty(capture.title) ??
          nonEmpty(article?.title) ??
          file?.title ??
          ('pdf' in content && fileName !== null ? nameWithoutExtension(fileName) : null) ??
          deriveTitle(saidIn(capture, turns) ?? text, site),
        limits.capture.titleLength,
      ),
      url,
      ...resolveSource(nonEmpty(capture.sourceApp), url, fileName),
      captureMode: content.mode,
      tags: uniqueTags([
        ...tags,
        ...cleanTags(file?.tags.filter((tag) => tag.length <= limits.capture.tagLength) ?? []),
      ]).slice(0, limits.capture.tags),
      note: nonEmpty(capture.note),
      metadata,
      isLink: 'isLink' in content,
      page: wellFormed(withoutNulWithin(article?.metadata ?? {})) as Record<string, string>,
      capturedAt,
      lastCapturedAt: capturedAt,
      updatedAt: now.toISOString(),
      savedBy: actor,
      ...UNOPENED,
      place: capture.place ?? (actor?.client === 'plugin' ? 'archive' : 'inbox'),
    },
    urlKey: key,
    site,
    isTitleStated: isTitleStated(capture, actor),
    comments: commentsOf(capture, content, article),
    chunks: joinIntoChunks(measured.flat(), sizes),
    conversation: turns === null ? null : createConversation(turns, measured, sizes),
    ...(article?.warning === undefined ? {} : { warning: article.warning }),
    ...(nonEmpty(capture.title) === null && file?.ownTitle && file.title !== null ? { ownTitle: file.title } : {}),
    ...(url === null && file?.frontMatter && 'text' in content
      ? { alternative: await wholeFile(content.text, sizes) }
      : {}),
  };
}

/** The comments of a page: those that its capture has, or those found in its HTML. */
function commentsOf({ comments }: Capture, content: Content, article: Article | null): Comment[] {
  const isPage = content.mode === 'page' && !('isLink' in content);
  return isPage ? normaliseComments(comments ?? article?.comments ?? []) : [];
}

/** The text of a conversation without its roles; null for other captures. */
function saidIn({ messages }: Capture, turns: readonly string[] | null): string | null {
  return turns === null ? null : (messages ?? []).map(({ text }) => withoutNul(text)).join('\n');
}

/** The text of a file with its front matter. */
async function wholeFile(text: string, sizes: ChunkSizes): Promise<Pick<NewMemory, 'chunks' | 'contentHash'>> {
  return {
    chunks: joinIntoChunks(await measureText(text, sizes), sizes),
    contentHash: await contentHashOf(null, text),
  };
}

/** The hash by which the same text of the same URL is recognised (CAP-7). */
export function contentHashOf(key: string | null, text: string): Promise<string> {
  return sha256(`${key ?? ''}\n${text}`);
}

/** Clients that send the title of the page, unless the user chose another. */
const SENDING_STATED: readonly string[] = ['extension', 'bookmarklet'] satisfies Actor['client'][];

function isTitleStated({ title, ownTitle }: Capture, actor: Actor | null): boolean {
  return nonEmpty(title) === null || (ownTitle !== true && SENDING_STATED.includes(actor?.client ?? ''));
}

/** A text without NUL; null if it is missing or blank. */
function nonEmpty(text: string | null | undefined): string | null {
  const clean = withoutNul(text ?? '').trim();
  return clean === '' ? null : clean;
}

function instant(text: string | null | undefined): string | null {
  const value = nonEmpty(text);
  if (value === null) return null;
  if (!isInstant(value)) throw invalid('/capturedAt', 'must be an ISO 8601 date, or date and time');
  return new Date(value).toISOString();
}

function invalid(pointer: string, message: string): RecollectError {
  return new RecollectError('VALIDATION_FAILED', `${pointer.slice(1)} ${message}.`, { errors: [{ pointer, message }] });
}

/** Tags without blanks and duplicates, in the given order, and as a database stores any other text. */
export function cleanTags(tags: readonly string[]): string[] {
  return uniqueTags(tags.flatMap((tag) => splitTags(withoutNul(tag).toWellFormed())));
}

/** Tags as an export has them, which may be from a version in which a tag could contain a comma. */
export function keepTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => withoutNul(tag).trim()).filter((tag) => tag !== ''))];
}

function cleanMetadata(metadata: Record<string, unknown>): Record<string, unknown> {
  const json = JSON.stringify(metadata);
  if (new TextEncoder().encode(json).length > limits.capture.metadataBytes) {
    throw invalid('/metadata', 'must be at most 64 KiB as JSON; send less of it');
  }
  // JSON can contain NUL only in escaped form.
  const clean = json.includes('\\u0000') ? (withoutNulWithin(metadata) as Record<string, unknown>) : metadata;
  // HTTP has refused such values already; plugins and commands have not. An export with them could not be imported.
  const fault = findUnstorable(clean, 1);
  if (fault !== null) throw invalid('/metadata', `${fault}; leave that out`);
  return clean;
}

function withoutNulWithin(value: unknown): unknown {
  if (typeof value === 'string') return withoutNul(value);
  if (Array.isArray(value)) return value.map(withoutNulWithin);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [withoutNul(key), withoutNulWithin(item)]));
}

/** The name of a file, as a title. */
function nameWithoutExtension(fileName: string): string | null {
  return nonEmpty(fileName.replace(/^.*[\\/]/, '').replace(/\.\w+$/, ''));
}
