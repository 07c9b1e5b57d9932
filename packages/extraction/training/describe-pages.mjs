// Describes the blocks of pages whose text is known, for train.py.   node describe-pages.mjs PAGES.jsonl.gz OUT
// PAGES: one page per line, {url, html, text?, kind?, with, without}: its whole text, or phrases that must and must not be in its text.
// OUT.bin: one row of float32 per block. OUT.json: the names of its columns, and for each page what is known of its blocks.
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describeBlocks } from '../dist/dom/blocks/describe-blocks.js';
import { findBlocks } from '../dist/dom/blocks/find-blocks.js';
import { isPart } from '../dist/dom/blocks/is-part.js';
import { KnownText } from '../dist/dom/blocks/words.js';
import { cleanPage } from '../dist/dom/clean-page.js';
import { findWithDefuddle } from '../dist/dom/find-with-defuddle.js';
import { plainText } from '../dist/dom/plain-text.js';
import { prepare } from '../dist/dom/prepare.js';
import { removeClutter } from '../dist/dom/to-markdown.js';
import { parsePage } from '../dist/parse-page.js';

const [source, out] = process.argv.slice(2);
if (source === undefined || out === undefined) {
  console.error('node describe-pages.mjs PAGES.jsonl.gz OUT');
  process.exit(2);
}

const letters = (text) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
const wordsIn = (text) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
const placesIn = (text, phrases) =>
  phrases.flatMap((phrase, place) =>
    letters(phrase) !== '' && letters(text).includes(letters(phrase)) ? [place] : [],
  );

const rows = openSync(`${out}.bin`, 'w');
let names = null;
const pages = [];
for (const line of gunzipSync(readFileSync(source)).toString().trim().split('\n')) {
  const { url, html, text = null, kind = null, with: wanted, without: unwanted } = JSON.parse(line);
  const page = parsePage(html);
  cleanPage(page);
  prepare(page);
  const body = page.body.cloneNode(true);
  removeClutter(body);
  const blocks = findBlocks(body);
  const descriptions = blocks.length === 0 ? [] : describeBlocks(page, body, blocks, url);
  const { content } = findWithDefuddle(page, url);
  const words = blocks.map((block) => block.words);
  const other = new KnownText(plainText(content)).sharesOf(words);
  const truth = text === null ? null : new KnownText(text).sharesOf(words);
  names ??= Object.keys(descriptions[0]);
  for (const description of descriptions)
    writeSync(rows, new Uint8Array(Float32Array.from(names, (name) => description[name]).buffer));
  pages.push({
    url,
    kind: kind ?? (text === null ? null : 'news'),
    text: text === null ? null : wordsIn(text),
    wanted: wanted.length,
    blocks: blocks.map((block, place) => ({
      words: wordsIn(block.text),
      isText: truth?.[place] ?? null,
      isAgreed: other[place] >= 0.5,
      isPart: isPart(block),
      wanted: placesIn(block.text, wanted),
      unwanted: placesIn(block.text, unwanted),
    })),
  });
}
closeSync(rows);
writeFileSync(`${out}.json`, JSON.stringify({ names, pages }));
console.log(`${pages.length} pages, ${names?.length} features`);
