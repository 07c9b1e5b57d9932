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

function find(article: string, after = '') {
  const page = parsePage(`<!doctype html><html lang="en"><head><title>Harbour lamps go dark - The Sound Herald</title>
    <meta property="og:type" content="article"></head><body>
    <header><a href="/">The Sound Herald</a><nav><a href="/news">News</a><a href="/sport">Sport</a><a href="/life">Life</a></nav></header>
    <main><article><h1>Harbour lamps go dark</h1><div class="story">${article}</div></article>${after}</main>
    <footer><p>© 2026 The Sound Herald. All rights reserved.</p><a href="/terms">Terms</a></footer></body></html>`);
  const url = 'https://herald.example/2026/11/harbour-lamps-go-dark';
  cleanPage(page);
  return findArticle(page, { url, base: url });
}

function read(article: string, after = ''): string {
  return find(article, after)?.text ?? '';
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

  test('CAP-2: leaves out lines between its paragraphs that only lead to other pages of the site', () => {
    const headline = 'Ferry fares to rise by a tenth in spring';
    const around = (line: string) => read(text(0, 3) + line + text(3), teasers('More'));
    for (const line of [
      `<p>Read also: <a href="/news/7">${headline}</a></p>`,
      `<p><strong>Lue myös: <a href="https://herald.example/news/7">${headline}</a></strong></p>`,
      `<div><a href="/news/7">${headline}</a></div>`,
    ]) {
      const found = around(line);
      for (const paragraph of PARAGRAPHS) expect(found).toContain(paragraph);
      expect(found, line).not.toContain(headline);
    }
    for (const line of [
      `<p>The ferry company said: <a href="/news/7">${headline}</a>, whatever happens.</p>`,
      `<p><a href="https://council.example/report">The report of the engineers about the lamps</a></p>`,
      '<p><a href="#map">The map of all lamps along the harbour</a></p>',
    ])
      expect(around(line), line).toMatch(/whatever happens|report of the engineers|map of all lamps/);
  });

  test('CAP-2: ends before its comments, also if they are longer than it', () => {
    for (const count of [3, 25]) {
      const found = read(text(), comments(count));
      expectArticle(found);
      expect(found, `${count}`).not.toContain('neighbour number');
    }
  });

  test('CAP-2: knows a comment by its list, however many elements surround its name and time', () => {
    const nested = comments(4)
      .replaceAll(
        '<div class="comment">',
        '<div class="comment"><img src="/a.png" alt="Avatar"><div class="comment_content">',
      )
      .replaceAll('</div></div>', '</div></div></div>');
    const found = read(text(), nested);
    expectArticle(found);
    expect(found).not.toContain('neighbour number');
  });

  test('CAP-22: gives the comments below it with their authors and times, replies after what they answer', () => {
    const comment = (name: string, day: number, said: string, replies = '') =>
      `<li class="comment depth-${day}"><article class="comment-body"><footer class="comment-meta">
        <div class="comment-author"><img src="/a.png"><b class="fn">${name}</b> <span class="says">says:</span></div>
        <a href="#comment-${day}"><time datetime="2026-11-0${day}T10:00:00+01:00">November ${day}</time></a></footer>
        <div class="comment-content">${said}</div><div class="reply"><a href="#respond">Reply</a></div></article>
        ${replies && `<ol class="children">${replies}</ol>`}</li>`;
    const reply = comment('Bo', 2, '<p>It never froze before.</p>');
    const first = comment('Ann', 1, '<p>The <b>valve</b> again.</p><p>See <a href="/valves">valves</a>.</p>', reply);
    const found = find(text(), `<ol id="comments">${first}${comment('Cleo', 3, 'Well said!')}</ol>`);
    expectArticle(found?.text ?? '');
    expect(found?.comments).toEqual([
      {
        author: 'Ann',
        published: '2026-11-01T09:00:00.000Z',
        text: 'The **valve** again.\n\nSee [valves](https://herald.example/valves).',
      },
      { author: 'Bo', published: '2026-11-02T09:00:00.000Z', text: 'It never froze before.' },
      { author: 'Cleo', published: '2026-11-03T09:00:00.000Z', text: 'Well said!' },
    ]);
    expect(find(text(), comments(3))?.comments.map(({ author, published }) => [author, published])).toEqual([
      ['Reader 0', undefined],
      ['Reader 1', undefined],
      ['Reader 2', undefined],
    ]);
  });

  test('CAP-22: has no comments where posts are the text', () => {
    const posts = PARAGRAPHS.map(
      (post) => `<div class="topic-post"><b>Ann</b><div class="cooked"><p>${post}</p></div></div>`,
    );
    const thread = find(posts.join(''));
    expect(thread).toMatchObject({ extractor: 'thread', comments: [] });
    expectArticle(thread?.text ?? '');
  });

  test('CAP-2: ends before links to other pages of its site, without a heading', () => {
    const links = TEASERS.map((teaser, place) => `<p><a href="/news/${place}">${teaser}</a></p>`).join('');
    expectArticle(read(text() + links));
  });

  test('CAP-2: gives captions to their pictures, and keeps tables and quotations in figures', () => {
    const picture = (alt: string) => `<img src="/lamps.jpg" alt="${alt}">`;
    const caption = 'Two boats left the harbour at nine. Photo: Ines Holm';
    for (const figure of [
      `<figure>${picture('A boat')}<figcaption>${caption}</figcaption></figure>`,
      `<div class="photo">${picture('A boat')}<p class="photo-caption">${caption}</p></div>`,
    ]) {
      const found = read(text(0, 3) + figure + text(3), teasers('More'));
      expect(found.split('\n').filter((line) => line.includes('Ines Holm'))).toEqual([
        `![A boat](https://herald.example/lamps.jpg "${caption}")`,
      ]);
    }
    const table = '<table><tr><th>Lamp</th><th>Oil</th></tr><tr><td>East</td><td>9</td></tr></table>';
    const found = read(
      `${text(0, 3)}<figure>${table}</figure><figure><blockquote><p>We never knew how dark the sea is.</p></blockquote></figure>${text(3)}`,
      teasers('More'),
    );
    expect(found).toContain('| East | 9 |');
    expect(found).toContain('> We never knew how dark the sea is.');
  });

  test('CAP-2: says once what a page says twice, in its text and beside its pictures', () => {
    const pulled = `<div class="pull">${PARAGRAPHS[0]}</div>`;
    const picture = '<p><img src="/a.jpg" alt="Harbour lamps go dark"></p>';
    const found = read(text(0, 2) + picture + text(2, 4) + pulled + picture + text(4), teasers('More'));
    expect(found.split(PARAGRAPHS[0] ?? '')).toHaveLength(2);
    expect(found).not.toContain('![');
    const refrain = '<p>Dark is the harbour tonight</p>';
    expect(
      read(text(0, 2) + refrain + text(2, 4) + refrain + text(4), teasers('More')).split('Dark is the harbour'),
    ).toHaveLength(3);
  });

  test('CAP-2: keeps embedded posts between its paragraphs', () => {
    const post = (words: string) =>
      `<blockquote class="twitter-tweet"><p>${words} <a href="https://t.co/x">pic.twitter.com/x</a></p>— Ole (@ole) <a href="https://twitter.com/ole/status/1">November 24, 2026</a></blockquote>`;
    const found = read(`${text(0, 2)}${post('All dark on the mole')}${text(2, 4)}${post('And light again')}${text(4)}`);
    for (const words of ['All dark on the mole', 'And light again', 'November 24, 2026'])
      expect(found).toContain(words);
  });

  test('CAP-2: leaves out the box about its author and the form for a newsletter below it', () => {
    const after =
      '<aside class="author-box"><img src="/j.jpg" alt=""><p>Jo Field writes about the coast. Follow her on Mastodon.</p></aside><div class="signup"><p>Get the latest news in your inbox every morning.</p><label>Mail</label></div>';
    const found = read(text(), after);
    expectArticle(found);
    expect(found).not.toMatch(/in your inbox|Follow her/);
  });

  test('CAP-2: leaves out a box between its paragraphs that asks for an address', () => {
    const box =
      '<div class="promo"><p>Never miss a lamp that goes dark, and read our letter about the harbour each Friday morning.</p><form action="/letter"><input type="email" placeholder="Your address"><button>Subscribe</button></form></div>';
    const found = read(text(0, 3) + box + text(3), teasers('More'));
    expectArticle(found);
    expect(found).not.toContain('Never miss a lamp');
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

  test('CAP-2: keeps a live blog, with the time of each entry, and an article with a recipe below its story', () => {
    const entries = PARAGRAPHS.map(
      (paragraph, hour) =>
        `<div class="entry"><h3>${hour + 10}:05</h3><time>${hour + 10}:05</time><p>${paragraph}</p></div>`,
    ).join('');
    expectArticle(read(`<div class="liveblog">${entries}</div>`, teasers('More live coverage')));
    const recipe =
      '<section class="recipe"><h2>Fish soup of the harbour</h2><h3>Ingredients</h3><ul><li>800 g of haddock</li><li>2 leeks</li></ul><h3>Method</h3><ol><li>Sweat the leeks in butter until they are soft.</li><li>Add the fish, and simmer for ten minutes.</li></ol></section>';
    const found = read(text() + recipe, teasers('More recipes'));
    expectArticle(found);
    for (const part of ['800 g of haddock', '2 leeks', 'Sweat the leeks', 'simmer for ten minutes'])
      expect(found).toContain(part);
  });

  test('CAP-2: keeps what a stub behind a paywall shows, and three articles of one page', () => {
    const wall =
      '<div class="paywall"><p>Subscribe to read on. Already a reader? <a href="/login">Sign in</a></p></div>';
    const stub = read(text(0, 2) + wall, teasers('Most read'));
    for (const paragraph of PARAGRAPHS.slice(0, 2)) expect(stub).toContain(paragraph);
    for (const teaser of TEASERS) expect(stub).not.toContain(teaser);
    const three = [0, 2, 4].map((from) => `</div></article><article><h2>Part ${from}</h2><div>${text(from, from + 2)}`);
    const found = read(three.join(''));
    for (const paragraph of PARAGRAPHS) expect(found).toContain(paragraph);
  });

  test('CAP-2: keeps articles in Thai, Arabic and Chinese, without the headlines below them', () => {
    const articles = [
      ['โคมไฟริมท่าเรือดับลงเมื่อคืนวันอังคาร และไม่มีใครในเมืองบอกได้ว่าเพราะเหตุใด', 'ค่าเรือข้ามฟากจะขึ้นในฤดูใบไม้ผลิ'],
      [
        'انطفأت مصابيح الميناء مساء الثلاثاء، ولم يستطع أحد في المدينة أن يقول لماذا حدث ذلك.',
        'ارتفاع أجرة العبّارة في الربيع',
      ],
      ['星期二晚上，港口的灯全部熄灭了，镇上没有人知道原因，这是一九四七年冬天以来的第一次。', '春天渡轮票价将上涨'],
    ] as const;
    for (const [sentence, headline] of articles) {
      const paragraphs = [1, 2, 3, 4, 5].map((place) => `${sentence} (${place})`);
      const below = `<section class="river">${[1, 2, 3, 4]
        .map(
          (place) =>
            `<div class="river-item"><h4><a href="/n/${place}">${headline} ${place}</a></h4><time>${place} h</time></div>`,
        )
        .join('')}</section>`;
      const found = read(paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join(''), below);
      for (const paragraph of paragraphs) expect(found).toContain(paragraph);
      expect(found).not.toContain(`${headline} 2`);
    }
  });
});
