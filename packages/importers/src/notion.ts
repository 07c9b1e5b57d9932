import { isPageAddress } from '@recollect/contract/text';
import { defineImporter, type Item } from './importer.js';
import { item } from './to-capture.js';
import { instantOf, textsOf } from './values.js';

/** The id of a page, which ends the name of its file and of the folder of its subpages. */
const ID = / ?[0-9a-f]{32}(?=\.md$|$)/i;
/**
 * A link to another page or file of the export, or to a page in Notion. The name of a file may contain any parentheses;
 * other addresses only pairs.
 */
const INNER_LINK =
  /!?\[([^[\]]*)\]\((?!https?:|mailto:)(?:[^\s[\]]*?\.\w{1,8}(?:#[^\s()[\].#]*)?|(?:[^()\s]|\([^()\s]*\))*)\)/g;
/** Properties of a page in a database that state its type, in English. */
const TAGS = /^(?:tags?|labels?|categor(?:y|ies)|topics?)$/i;
const ADDRESS = /^(?:url|link|source)$/i;
const TIME = /^(?:created(?: time| at)?|date(?: created| added)?|added)$/i;

/** The Markdown of Notion: a file for each page, in folders for those that have subpages. */
export const notion = defineImporter({
  program: 'Notion',
  detects: ({ name }) => /[0-9a-f]{32}\.md$/i.test(name),
  *read({ name, text }) {
    yield { name, read: () => readPage(name, text) };
  },
});

function readPage(name: string, markdown: string): Item {
  const [file = '', ...folders] = name.split('/').reverse();
  const [heading = ''] = /^\uFEFF?\s*# .+/.exec(markdown) ?? [];
  const title = heading.replace(/^\uFEFF?\s*# /, '').trim() || file.replace(ID, '').replace(/\.md$/, '');
  const text = markdown
    .replace(/^\uFEFF/, '')
    .replace(INNER_LINK, '$1')
    .trim();
  if (text === '') return { skipped: title, reason: 'The page is empty.', isExpected: true };
  const properties = propertiesOf(markdown.slice(heading.length));
  const property = (names: RegExp) => properties.find(([one]) => names.test(one))?.[1] ?? '';
  const folder = folders.reverse().filter((one) => !/^Export-|\.zip$/i.test(one));
  const url = property(ADDRESS);
  return item({
    capture: {
      title,
      pageText: text,
      sourceApp: 'notion',
      ...(isPageAddress(url) ? { url } : {}),
      tags: textsOf(property(TAGS)),
      capturedAt: instantOf(property(TIME)),
      metadata: folder.length === 0 ? {} : { folder: folder.map((one) => one.replace(ID, '')).join('/') },
    },
  });
}

/** The properties of a page in a database: lines under its title, up to the first empty one. */
function propertiesOf(body: string): [string, string][] {
  const [block = ''] = body.trim().split(/\n\s*\n/, 1);
  const lines = block.split('\n');
  const properties = lines.flatMap((line): [string, string][] => {
    const [, name, value] = /^([^:\n]{1,60}): +(.*)$/s.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value.trim()]];
  });
  return properties.length === lines.length ? properties : [];
}
