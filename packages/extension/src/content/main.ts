import { limits } from '@recollect/contract/limits';
import { countWords, encodeBase64, isPdf, parseUrl } from '@recollect/contract/text';
import { type Article, findArticle } from '@recollect/extraction/dom';
import { draw, encodePicture, type Part, toImage } from '../pictures/encode.js';
import type { Image, PictureOptions, Pictures } from '../pictures/pictures.js';
import type { Reading, ReadingMode, ReadOptions } from '../reading.js';

import { readFacts } from './read-facts.js';
import { readSelection } from './read-selection.js';
import { snapshot } from './snapshot.js';
import { readGenericConversation } from './surfaces/generic.js';
import { findSurface } from './surfaces/index.js';

const { favicon: most } = limits.pictures;
/** The side of a redrawn icon, and the largest side at which an icon is kept unchanged, in pixels. */
const ICON_SIDE_PX = { drawn: 32, kept: 64 };
/** The share of an icon that must be opaque. A thin line across the icon is about this share. */
const MIN_OPAQUE_SHARE = 0.03;
const KEPT_ICON_TYPES = ['image/png', 'image/webp', 'image/x-icon', 'image/vnd.microsoft.icon'];

/**
 * The icon of a page, from the browser's cache. Null if the page has none, or one of another site, which would have to
 * be asked for it.
 */
async function readFavicon(document: Document, iconUrl: string | null): Promise<Image | null> {
  const address = iconUrl ?? document.querySelector<HTMLLinkElement>('link[rel~="icon"]')?.href ?? '';
  const url = parseUrl(address);
  if (url === null) return null;
  const { protocol, origin } = url;
  if (protocol !== 'data:' && origin !== document.location.origin) return null;
  const response = await fetch(address, { cache: 'force-cache' });
  const blob = await withSize(await response.blob());
  const image = new Image();
  image.src = URL.createObjectURL(blob);
  try {
    await image.decode();
    const { naturalWidth, naturalHeight } = image;
    // Firefox reports 0 for an SVG without a size.
    const [width, height] = [naturalWidth || ICON_SIDE_PX.drawn, naturalHeight || ICON_SIDE_PX.drawn];
    const canvas = draw(image, { x: 0, y: 0, width, height }, ICON_SIDE_PX.drawn, ICON_SIDE_PX.drawn);
    if (isNearlyEmpty(canvas)) return null;
    if (KEPT_ICON_TYPES.includes(blob.type) && blob.size <= most.bytes && Math.max(width, height) <= ICON_SIDE_PX.kept)
      return await toImage(blob);
    for (const type of ['image/png', 'image/webp']) {
      const drawn = await canvas.convertToBlob({ type });
      if (drawn.size <= most.bytes) return await toImage(drawn);
    }
    return null;
  } finally {
    URL.revokeObjectURL(image.src);
  }
}

const SVG = 'image/svg+xml';

/**
 * Gives an SVG that can be scaled the size at which it is drawn, since browsers disagree on its size otherwise. Its
 * colours are those for a light page, on which icons are shown. Other images are returned unchanged.
 */
async function withSize(blob: Blob): Promise<Blob> {
  if (blob.type.split(';', 1)[0] !== SVG) return blob;
  const text = (await blob.text())
    .replace(/prefers-color-scheme\s*:\s*dark/gi, 'max-width: 0')
    .replace(/prefers-color-scheme\s*:\s*light/gi, 'min-width: 0');
  const { documentElement: root } = new DOMParser().parseFromString(text, SVG);
  const hasSize = [root.getAttribute('width'), root.getAttribute('height')].every((side) =>
    ABSOLUTE_LENGTH.test(side ?? ''),
  );
  if (root.hasAttribute('viewBox') || !hasSize)
    for (const side of ['width', 'height']) root.setAttribute(side, `${ICON_SIDE_PX.drawn}`);
  return new Blob([new XMLSerializer().serializeToString(root)], { type: SVG });
}

/** A length that does not depend on where the image is shown. */
const ABSOLUTE_LENGTH = /^\s*[\d.]+(?:px|pt|pc|mm|cm|in|em)?\s*$/;

/** Whether an icon would be shown as a speck, or not at all. */
function isNearlyEmpty(canvas: OffscreenCanvas): boolean {
  const { width, height } = canvas;
  const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
  let opacity = 0;
  for (let at = 3; at < pixels.length; at += 4) opacity += (pixels[at] ?? 0) / 255;
  return opacity < MIN_OPAQUE_SHARE * width * height;
}

/** If more than this share of a page's words is in turns, the page is saved as a conversation. */
const MOSTLY_CONVERSATION = 0.6;

/** Reads a page as its user sees it, without changing it. */
function readPage(document: Document, { openclawHosts, turnsOnly = false }: ReadOptions): Reading {
  const { location } = document;
  const problem = problemOf(document);
  const surface = findSurface(location.host, openclawHosts);
  const ofSurface = surface?.read(document) ?? null;
  const generic = ofSurface === null ? readGenericConversation(document) : null;
  // A surface with its own host is recognised even after a redesign; a chat on an OpenClaw host may be any other chat.
  const isSurface = ofSurface !== null || (generic !== null && surface !== null && surface.name !== 'openclaw');
  const { turns = [], isStreaming = false } = ofSurface ?? generic ?? {};
  const messages = turns.length > 0 ? turns : null;
  const selection = readSelection(document);
  const copy = turnsOnly ? null : snapshot(document);
  const pageWords = copy === null ? 0 : countWords(copy.body?.textContent ?? '');
  const article =
    problem === null && copy !== null ? findArticle(copy, { url: location.href, base: document.baseURI }) : null;
  const facts = readFacts(document, article);
  const isConversation = messages !== null && (isSurface || words(messages) > MOSTLY_CONVERSATION * pageWords);
  const parts: Record<ReadingMode, unknown> = {
    selection,
    conversation: isConversation ? messages : null,
    page: article?.text ?? null,
  };
  const order: readonly ReadingMode[] = ['selection', 'conversation', 'page'];
  return {
    url: location.href,
    title: (ofSurface?.title ?? article?.title ?? document.title).trim() || nameOf(location),
    sourceApp: isSurface && surface !== null ? surface.name : 'web',
    selection,
    messages,
    pageText: article?.text ?? null,
    wholeText: article === null ? null : readWhole(article),
    scope: 'article',
    comments: article?.comments ?? [],
    keepsComments: true,
    pdf: null,
    smart: order.find((mode) => parts[mode] !== null) ?? (messages === null ? null : 'conversation'),
    facts,
    extractor: article?.extractor ?? 'none',
    isStreaming,
    problem,
  };
}

/** The share of a page's words that its article may lack before the user is offered both. */
const MAX_MISSING_SHARE = 1 / 5;

/** All text of a page, if it has far more words than its article. */
function readWhole(article: Article): string | null {
  const whole = article.readWhole();
  const words = countWords(whole);
  return words - countWords(article.text) > MAX_MISSING_SHARE * words ? whole : null;
}

/** The title of an untitled page: its file name, otherwise its host. */
function nameOf({ pathname, host }: Location): string {
  const [name = ''] = pathname.split('/').slice(-1);
  return name.includes('.') ? name : host;
}

function words(turns: readonly { text: string }[]): number {
  return turns.reduce((sum, { text }) => sum + countWords(text), 0);
}

function problemOf(document: Document): Reading['problem'] {
  const isPdf =
    document.contentType === 'application/pdf' || document.querySelector('embed[type="application/pdf"]') !== null;
  if (isPdf && (document.body?.textContent ?? '').trim() === '') return 'pdf';
  return /^(image|video|audio)\//.test(document.contentType) ? 'not-a-page' : null;
}

/** Pixels that an image has at least. Smaller ones are icons, avatars and spacers. */
const MIN_IMAGE_PX = { width: 200, height: 120 };
/** Width by height. Others are banners and rules. */
const ASPECT_RATIO = { narrowest: 0.4, widest: 4 };
/** The height that is kept of a tall image, as a share of its width. */
const MAX_HEIGHT_RATIO = 1;
/** Images that are tried: many pages load all of theirs from another site. */
const MAX_TRIED_IMAGES = 5;
const CONTENT = 'main, article, [role="main"]';
const AROUND = 'nav, footer, aside, header nav, [role="navigation"], [role="complementary"]';

/**
 * The image that represents a page: the image that the page names, or else the largest in its content. Takes only
 * images that the page has loaded and may read, so nothing is requested. Null if there is none.
 */
async function readLeadImage(document: Document): Promise<Image | null> {
  const named = namedImages(document);
  const rank = (image: HTMLImageElement) =>
    (named.has(image.currentSrc) ? 2 : 0) + (image.closest(CONTENT) === null ? 0 : 1);
  const images = [...document.images]
    .filter(isPicture)
    .sort((a, b) => rank(b) - rank(a) || areaOf(b) - areaOf(a))
    .slice(0, MAX_TRIED_IMAGES);
  for (const image of images) {
    // A SecurityError: the image is of another site, which does not let this page read it.
    const encoded = await encodePicture(image, partOf(image)).catch(() => null);
    if (encoded !== null) return encoded;
  }
  return null;
}

function namedImages(document: Document): Set<string> {
  const metas = document.querySelectorAll<HTMLMetaElement>(
    'meta[property="og:image"], meta[property="og:image:secure_url"], meta[name="twitter:image"]',
  );
  return new Set([...metas].flatMap(({ content }) => parseUrl(content, document.baseURI)?.href ?? []));
}

function isPicture(image: HTMLImageElement): boolean {
  const { complete, naturalWidth: width, naturalHeight: height } = image;
  if (!complete || width < MIN_IMAGE_PX.width || height < MIN_IMAGE_PX.height) return false;
  const shape = width / height;
  return (
    shape >= ASPECT_RATIO.narrowest &&
    shape <= ASPECT_RATIO.widest &&
    areaOf(image) > 0 &&
    image.closest(AROUND) === null
  );
}

/** The area in which the page shows it; 0 if it is hidden. */
function areaOf(image: HTMLImageElement): number {
  const { width, height } = image.getBoundingClientRect();
  return image.checkVisibility() ? width * height : 0;
}

function partOf({ naturalWidth: width, naturalHeight: height }: HTMLImageElement): Part {
  return { x: 0, y: 0, width, height: Math.min(height, Math.round(width * MAX_HEIGHT_RATIO)) };
}

/** Milliseconds that the page's server has for it, should the browser have to ask again. */
const FETCH_TIMEOUT_MS = 20_000;

/** The PDF that a tab shows, in Base64; why not, if it cannot be read. The browser has it in its cache, as a rule. */
async function readPdf(address: string): Promise<{ pdf: string } | { problem: 'pdf' | 'large-pdf' }> {
  const response = await fetch(address, { cache: 'force-cache', signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) }).catch(
    () => null,
  );
  if (response?.ok !== true) return { problem: 'pdf' };
  if (Number(response.headers.get('content-length')) > limits.capture.pdfBytes) return { problem: 'large-pdf' };
  const content = await response.arrayBuffer().catch(() => null);
  if (content === null) return { problem: 'pdf' };
  const bytes = new Uint8Array(content);
  if (bytes.length > limits.capture.pdfBytes) return { problem: 'large-pdf' };
  return isPdf(bytes, { isDeclared: true }) ? { pdf: encodeBase64(bytes) } : { problem: 'pdf' };
}

declare global {
  /** Called by the popup, in the isolated world that the page's own scripts cannot reach. */
  var recollectReadPage: (options: ReadOptions) => Reading;
  var recollectReadPdf: typeof readPdf;
  var recollectReadPictures: (options: PictureOptions) => Promise<Pictures>;
}

globalThis.recollectReadPage = (options) => readPage(document, options);
globalThis.recollectReadPdf = readPdf;
globalThis.recollectReadPictures = async ({ iconUrl }) => {
  const [picture, favicon] = await Promise.all([
    readLeadImage(document).catch(() => null),
    readFavicon(document, iconUrl).catch(() => null),
  ]);
  return { picture, favicon };
};
