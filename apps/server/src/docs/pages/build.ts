import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { contents, unlisted } from './contents.js';
import { renderPage } from './render-page.js';

const docs = new URL('../../../../../docs/', import.meta.url);
const listed: Entry[] = contents.flatMap(({ section, pages }) =>
  pages.map((path) => ({ section, path, isListed: true })),
);
const others: Entry[] = unlisted
  .flatMap((folder) => readdirSync(new URL(folder, docs)).map((file) => `${folder}/${file.replace(/\.md$/, '')}`))
  .filter((path) => !listed.some((page) => page.path === path))
  .sort()
  .map((path) => ({ section: '', path, isListed: false }));
const pages = [...listed, ...others].map((entry) =>
  renderPage(readFileSync(new URL(`${entry.path}.md`, docs), 'utf8'), entry, (picture) =>
    readFileSync(new URL(picture, docs)),
  ),
);
writeFileSync(new URL('pages.json', import.meta.url), JSON.stringify(pages));

interface Entry {
  section: string;
  path: string;
  isListed: boolean;
}
