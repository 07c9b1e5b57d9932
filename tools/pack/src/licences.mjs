// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LICENCE, reach } from './libraries.mjs';

/**
 * The packages whose libraries are in the package. Those for browsers and the kernel contain what they are built with.
 */
const SOURCES = [
  { folder: 'apps/cli', isBuiltWith: false },
  ...['web', 'extension', 'ui', 'in-memory-index'].map((name) => ({ folder: `packages/${name}`, isBuiltWith: true })),
];

/** Development dependencies that are only used to build and to test, and so are not in the package. */
const TOOLS = /^(?:@types\/.*|@recollect\/browser|vite|playwright-core|axe-core|addons-linter|binaryen|long)$/;

/** The holders of the copyright where a library contains no text of its licence. */
const HOLDERS = {
  '@bomb.sh/tab': 'Bombshell authors',
  'abstract-logging': 'James Sumners',
  boolbase: '2014-2015 Felix Boehm',
  isarray: '2013 Julian Gruber',
  'onnxruntime-common': 'Microsoft Corporation',
  'onnxruntime-node': 'Microsoft Corporation. The notices of its parts are at https://github.com/microsoft/onnxruntime',
  pgpass: '2013-2016 Hannes Hörl',
  'pg-types': '2014 Brian M. Carlson',
  'sqlite-vec': '2024 Alex Garcia',
};

/** The models in the package, each in a folder of packages/models. */
export const models = ['minilm', 'multilingual', 'reranker'];

/**
 * Lists the libraries in the package, bundled or not.
 * @param {string} root the folder of the built repository
 * @returns {import('./libraries.mjs').Library[]}
 */
export function listContents(root) {
  const all = SOURCES.flatMap(({ folder, isBuiltWith }) =>
    reach(join(root, folder), { isBuiltWith, isLeftOut: (name) => TOOLS.test(name) }),
  );
  const unique = new Map(all.map((library) => [library.folder, library]));
  return [...unique.values()].filter(({ name }) => !name.startsWith('@recollect/'));
}

/**
 * Collects the licences of all libraries and models in the package, as a page of Markdown. Throws if one is unknown.
 * @param {string} root the folder of the built repository
 */
export function collectLicences(root) {
  /** @type {Map<string, string>} */
  const sections = new Map();
  const add = (/** @type {string} */ title, /** @type {string} */ text) => sections.set(title, fence(text));
  for (const library of listContents(root)) {
    const { version, license } = library.manifest;
    add(`${library.name} ${version} (${license})`, textOf(library));
  }
  for (const model of models)
    add(`the model in packages/models/${model}`, readFileSync(join(root, 'packages/models', model, 'LICENSE'), 'utf8'));
  const sorted = [...sections].sort(([a], [b]) => (a < b ? -1 : 1)).map(([title, text]) => `## ${title}\n\n${text}`);
  return `# Licences of the libraries and models in this package\n\n${sorted.join('\n')}`;
}

/** @param {import('./libraries.mjs').Library} library */
function textOf({ name, folder, manifest }) {
  const files = readdirSync(folder).filter((file) => LICENCE.test(file));
  if (files.length > 0) return files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  const holder = Object.entries(HOLDERS).find(([each]) => each === name)?.[1];
  const template = /^(?:MIT|ISC)\b/.exec(manifest.license)?.[0];
  if (holder === undefined || template === undefined)
    throw new Error(
      `${name} has no text of its licence. Add the holder of its copyright to tools/pack/src/licences.mjs.`,
    );
  return TEXTS[/** @type {keyof typeof TEXTS} */ (template)].replace('HOLDER', holder);
}

/** @param {string} text */
function fence(text) {
  return `~~~text\n${text.trim().replaceAll('\r\n', '\n')}\n~~~\n`;
}

const DISCLAIMER_ISC = `THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE
INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL,
DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS,
WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR
PERFORMANCE OF THIS SOFTWARE.`;
const DISCLAIMER_MIT = `THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT
LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT
OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

const TEXTS = {
  ISC: `ISC License

Copyright (c) HOLDER

Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted,
provided that the above copyright notice and this permission notice appear in all copies.

${DISCLAIMER_ISC}`,
  MIT: `MIT License

Copyright (c) HOLDER

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

${DISCLAIMER_MIT}`,
};
