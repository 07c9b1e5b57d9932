import { readFileSync, writeFileSync } from 'node:fs';
import { contents } from './contents.js';
import { renderPage } from './render-page.js';

const docs = new URL('../../../../../docs/', import.meta.url);
const pages = contents.flatMap(({ section, pages: paths }) =>
  paths.map((path) =>
    renderPage(readFileSync(new URL(`${path}.md`, docs), 'utf8'), { path, section }, (picture) =>
      readFileSync(new URL(picture, docs)),
    ),
  ),
);
writeFileSync(new URL('pages.json', import.meta.url), JSON.stringify(pages));
