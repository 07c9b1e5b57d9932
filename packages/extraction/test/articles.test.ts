import { cleanPage, findArticle } from '@recollect/extraction/dom';
import { describe, expect, test } from 'vitest';
import { parsePage } from '../src/parse-page.js';

/** Paragraphs about lamps, all different. */
const PARAGRAPHS = [
  'The lamps along the harbour went dark on Tuesday evening, for the first time since the winter of 1947, and nobody in the town could say why.',
  'Marta Lind, who has kept the eastern light for thirty years, was the first to notice. “I looked up from my supper, and there was nothing,” she said.',
  'By nine the harbour master had sent two boats to the outer buoys. Both came back without an answer, and with their own lanterns nearly out of oil.',
  'The council met at midnight. It decided, against the advice of its engineer, to light fires on the mole until the cause was known.',
  'Engineers found the fault on Wednesday: a valve, no larger than a thumb, had frozen in the pipe that feeds all eleven lamps from one tank.',
  'It had been fitted in 1961, was never on any plan, and will now be moved indoors. The repair took less than an hour and cost four crowns.',
];
const text = (from = 0, to = PARAGRAPHS.length) =>
  PARAGRAPHS.slice(from, to)
    .map((paragraph) => `<p>${paragraph}</p>`)
    .join('');
const TEASERS = [
  'Ferry fares to rise by a tenth in spring',
  'Why the herring came back to the sound',
  'Ten walks along the coast for a wet Sunday',
  'School choir wins the prize of the county',
];
const teasers = (title: string) =>
  `<section class="river"><h3>${title}</h3>${TEASERS.map(
    (teaser, place) =>
      `<div class="river-item"><a href="/news/${place}"><img src="/i/${place}.jpg" alt=""></a><h4><a href="/news/${place}">${teaser}</a></h4><time>${place + 2} hours ago</time></div>`,
  ).join('')}</section>`;
const comments = (count: number) =>
  `<section id="comments"><h3>${count} comments</h3>${Array.from(
    { length: count },
    (_, place) =>
      `<div class="comment"><span class="comment-author">Reader ${place}</span> <time>${place + 1} November</time><div class="comment-body"><p>I have lived there for ${place + 3} years, and my neighbour number ${place} says that the lamps never shone as brightly as they did then.</p></div></div>`,
  ).join('')}</section>`;

function read(article: string, after = ''): string {
  const page = parsePage(`<!doctype html><html lang="en"><head><title>Harbour lamps go dark - The Sound Herald</title>
    <meta property="og:type" content="article"></head><body>
    <header><a href="/">The Sound Herald</a><nav><a href="/news">News</a><a href="/sport">Sport</a><a href="/life">Life</a></nav></header>
    <main><article><h1>Harbour lamps go dark</h1><div class="story">${article}</div></article>${after}</main>
    <footer><p>© 2026 The Sound Herald. All rights reserved.</p><a href="/terms">Terms</a></footer></body></html>`);
  const url = 'https://herald.example/2026/11/harbour-lamps-go-dark';
  cleanPage(page);
  return findArticle(page, { url, base: url })?.text ?? '';
}

function expectArticle(found: string): void {
  for (const paragraph of PARAGRAPHS) expect(found).toContain(paragraph);
  for (const teaser of TEASERS) expect(found).not.toContain(teaser);
  expect(found).not.toMatch(/All rights reserved|Sport/);
}

describe('the article of a page', () => {
  test('CAP-2: ends before the headlines of other articles, in any language', () => {
    for (const title of ['More from the county', 'Lisää aiheesta', '関連記事'])
      expectArticle(read(text(), teasers(title)));
  });

  test('CAP-2: ends before its comments, also if they are longer than it', () => {
    for (const count of [3, 25]) {
      const found = read(text(), comments(count));
      expectArticle(found);
      expect(found, `${count}`).not.toContain('neighbour number');
    }
  });

  test('CAP-2: leaves out the box about its author and the form for a newsletter below it', () => {
    const after =
      '<aside class="author-box"><img src="/j.jpg" alt=""><p>Jo Field writes about the coast. Follow her on Mastodon.</p></aside><div class="signup"><p>Get the latest news in your inbox every morning.</p><label>Mail</label></div>';
    const found = read(text(), after);
    expectArticle(found);
    expect(found).not.toMatch(/in your inbox|Follow her/);
  });

  test('CAP-2: keeps an article that is one list, one of quotations, and an interview', () => {
    const list = `<ol>${PARAGRAPHS.map((paragraph) => `<li>${paragraph}</li>`).join('')}</ol>`;
    const quotes = PARAGRAPHS.map((paragraph) => `<blockquote><p>${paragraph}</p></blockquote>`).join('');
    const interview = PARAGRAPHS.map(
      (paragraph, place) => `<p><strong>And what happened after hour ${place}?</strong></p><p>${paragraph}</p>`,
    ).join('');
    for (const article of [list, quotes, interview]) expectArticle(read(article, teasers('Read next')));
    expect(read(interview)).toContain('And what happened after hour 3?');
  });
});
