import type { Place } from '@recollect/contract/vocabulary';
import { Parser } from 'htmlparser2';
import { defineImporter, readEach } from './importer.js';
import { type Link, linkItem } from './to-capture.js';

/** Folders of Instapaper that stand for the state of a page. */
export const INSTAPAPER_STATES = ['unread', 'home', 'archive', 'starred', 'liked'];

/** Instapaper's HTML export: a list of links below the name of each folder. */
export const instapaperPage = defineImporter({
  program: 'Instapaper',
  detects: ({ text }) => /<title>\s*Instapaper: Export\s*<\/title>/i.test(text.slice(0, 2_048)),
  *read({ text }) {
    yield* readEach(linksOfInstapaper(text), linkItem, ({ title, url }) => title.trim() || url);
  },
});

/** Where Instapaper keeps a link of a list; undefined for folders. */
export function placeInInstapaper(state: string): Place | undefined {
  if (state === 'unread') return 'later';
  return state === 'archive' ? 'archive' : undefined;
}

function linksOfInstapaper(html: string): Link[] {
  const links: Link[] = [];
  let folder = '';
  let place: 'link' | 'folder' | null = null;
  const parser = new Parser({
    onopentag(name, { href = '' }) {
      if (name === 'h1') {
        place = 'folder';
        folder = '';
      } else if (name === 'a') {
        place = 'link';
        const state = folder.trim().toLowerCase();
        const isStarred = ['starred', 'liked'].includes(state);
        const names = INSTAPAPER_STATES.includes(state) ? [] : [folder];
        links.push({
          url: href,
          title: '',
          folder: names,
          isRead: state === 'archive',
          isStarred,
          place: placeInInstapaper(state),
        });
      }
    },
    ontext(part) {
      const link = links.at(-1);
      if (place === 'folder') folder += part;
      else if (place === 'link' && link !== undefined) link.title += part;
    },
    onclosetag(name) {
      if (name === 'h1' || name === 'a') place = null;
    },
  });
  parser.end(html);
  return links;
}

/** Links of an outline, such as the subscriptions of a reader of feeds. */
export const opml = defineImporter({
  program: 'OPML',
  detects: ({ text }) => /<opml[\s>]/i.test(text.slice(0, 2_048)),
  *read({ text }) {
    yield* readEach(linksOfOutline(text), linkItem, ({ title, url }) => title.trim() || url);
  },
});

function linksOfOutline(xml: string): Link[] {
  const links: Link[] = [];
  /** The names of the outlines that are open; null for those that are links. */
  const open: (string | null)[] = [];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name.toLowerCase() !== 'outline') return;
        const valuesByName = Object.fromEntries(
          Object.entries(attributes).map(([key, value]) => [key.toLowerCase(), value]),
        );
        const url = valuesByName.htmlurl || valuesByName.url || valuesByName.xmlurl || '';
        const title = valuesByName.title || valuesByName.text || '';
        const folder = open.flatMap((outline) => outline ?? []);
        if (url !== '') links.push({ url, title, description: valuesByName.description, folder });
        open.push(url === '' ? title : null);
      },
      onclosetag(name) {
        if (name.toLowerCase() === 'outline') open.pop();
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return links;
}

/** An address, alone or with a title after a bar, as OneTab exports tabs. */
const LINE = /^(https?:\/\/\S+)(?:[ \t]+\|(.*))?$/i;
/** Lines by which a list is recognised. */
const SAMPLED_LINES = 50;

/** A text with an address in each line, such as OneTab exports. */
export const addressList = defineImporter({
  program: 'list of addresses',
  detects: ({ name, text }) => {
    const lines = linesIn(text.slice(0, 100_000)).slice(0, SAMPLED_LINES);
    return /\.(?:txt|text|list|urls)$/i.test(name) && lines.length > 1 && lines.every((line) => LINE.test(line));
  },
  *read({ text }) {
    const links = linesIn(text).map((line) => {
      const [, url = line, title = ''] = LINE.exec(line) ?? [];
      return { url, title: title.trim() };
    });
    yield* readEach(links, linkItem, ({ title, url }) => title || url);
  },
});

function linesIn(text: string): string[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
