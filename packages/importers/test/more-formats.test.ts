import { expect, test } from 'vitest';
import { capturesOf, read, skippedOf } from './read.js';

const CONTAINER = 'text/x-moz-place-container';
const linksOf = (name: string, content: unknown) => {
  const { program, items } = read(name, content);
  const links = capturesOf(items).map(({ url, title, tags, capturedAt }) => [url, title, tags, capturedAt]);
  const short = links.map((link) => link.slice(0, 3));
  return { program, links, short, items, skipped: skippedOf(items) };
};

test('IMP-3: the backup of Firefox has folders, tags and times, and no lists that the browser computes', () => {
  const place = (title: string, uri: string, more = {}) => ({ type: 'text/x-moz-place', title, uri, ...more });
  const folder = (title: string, children: unknown[], root?: string) => ({ type: CONTAINER, title, children, root });
  const dateAdded = 1_600_000_000_000_000;
  const at = '2020-09-13T12:26:40.000Z';
  const annos = [{ name: 'bookmarkProperties/description', value: 'How moss keeps water' }];
  const backup = folder(
    '',
    [
      folder(
        'menu',
        [
          place('Moss', 'https://moss.example/', { dateAdded, tags: 'green,wet', annos }),
          { type: 'text/x-moz-place-separator' },
          place('Recent', 'place:sort=12'),
          folder('Plants', [folder('Ferns', [place('Fern', 'https://fern.example/')])]),
          place('Script', 'javascript:alert(1)'),
        ],
        'bookmarksMenuFolder',
      ),
      folder('tags', [folder('shade', [place('', 'https://fern.example/')])], 'tagsFolder'),
    ],
    'placesRoot',
  );
  const { program, links, items, skipped } = linksOf('bookmarks-2026-01-01.json', backup);
  expect([program, links]).toEqual([
    'Firefox',
    [
      ['https://moss.example/', 'Moss', ['green', 'wet'], at],
      ['https://fern.example/', 'Fern', ['shade', 'Plants/Ferns'], undefined],
    ],
  ]);
  expect(capturesOf(items)[0]?.pageText).toBe('Moss\n\nHow moss keeps water');
  expect(skipped.map(({ skipped: name }) => name)).toEqual(['Script']);
  const [levels, leaf] = [20_000, JSON.stringify(place('Deep', 'https://deep.example/'))];
  const deep = `${`{"type":"${CONTAINER}","title":"f","children":[`.repeat(levels)}${leaf}${']}'.repeat(levels)}`;
  expect(linksOf('deep.json', deep).short[0]?.[0]).toBe('https://deep.example/');
});

test('IMP-3: the file Bookmarks of Chrome has folders, and times since 1601', () => {
  const url = (name: string, address: string) => ({ type: 'url', name, url: address, date_added: '13244473600000000' });
  const folder = (name: string, children: unknown[]) => ({ type: 'folder', name, children });
  const roots = {
    bookmark_bar: folder('Bookmarks bar', [
      url('Moss', 'https://moss.example/'),
      folder('Plants', [url('Fern', 'https://fern.example/')]),
    ]),
    other: folder('Other bookmarks', [url('Leek', 'https://leek.example/')]),
    sync_transaction_version: '1',
  };
  const at = '2020-09-13T12:26:40.000Z';
  expect(linksOf('Bookmarks', { checksum: 'x', roots, version: 1 })).toMatchObject({
    program: 'Chrome',
    links: [
      ['https://moss.example/', 'Moss', [], at],
      ['https://fern.example/', 'Fern', ['Plants'], at],
      ['https://leek.example/', 'Leek', [], at],
    ],
  });
});

test('IMP-3: the page of Instapaper has states and folders', () => {
  const page = `<!DOCTYPE html><html><head><title>Instapaper: Export</title></head><body>
    <h1>Unread</h1><ol><li><a href="https://a.example/?x=1&amp;y=2">A &amp; b</a></ol>
    <h1>Archive</h1><ol><li><a href="https://c.example/">C</a></ol>
    <h1>Kitchen, small</h1><ol><li><a href="https://d.example/">D</a></li></ol></body></html>`;
  const { program, links, items } = linksOf('instapaper-export.html', page);
  expect([program, links.map(([url, title, tags]) => [url, title, tags])]).toEqual([
    'Instapaper',
    [
      ['https://a.example/?x=1&y=2', 'A & b', []],
      ['https://c.example/', 'C', []],
      ['https://d.example/', 'D', ['Kitchen small']],
    ],
  ]);
  expect(items.map((item) => 'isRead' in item)).toEqual([false, true, false]);
});

test('IMP-3: Raindrop without folders, outlines, and lists of addresses are links', () => {
  const collection =
    'id,title,note,excerpt,url,tags,created,cover,highlights,favorite\n1,Moss,mine,Wet,https://moss.example/,"a, b",2023-05-06T07:08:09.000Z,,,true\n';
  const raindrop = linksOf('Plants.csv', collection);
  expect(raindrop).toMatchObject({
    program: 'Raindrop',
    links: [['https://moss.example/', 'Moss', ['a', 'b'], '2023-05-06T07:08:09.000Z']],
    items: [{ isLink: true, isStarred: true, capture: { note: 'mine', pageText: 'Moss\n\nWet' } }],
  });
  const opml = `<?xml version="1.0"?><opml version="2.0"><body><outline text="Plants"><outline text="Moss news" title="Moss news" type="rss"
    xmlUrl="https://moss.example/feed" htmlUrl="https://moss.example/"/></outline><outline text="Leek" xmlUrl="https://leek.example/feed"/></body></opml>`;
  expect(linksOf('feeds.opml', opml)).toMatchObject({
    program: 'OPML',
    short: [
      ['https://moss.example/', 'Moss news', ['Plants']],
      ['https://leek.example/feed', 'Leek', []],
    ],
  });
  const tabs = 'https://moss.example/ | Moss | a page\n\nhttps://leek.example/\r\n';
  expect(linksOf('tabs.txt', tabs)).toMatchObject({
    program: 'list of addresses',
    short: [
      ['https://moss.example/', 'Moss | a page', []],
      ['https://leek.example/', 'https://leek.example/', []],
    ],
  });
  expect(read('notes.txt', 'https://moss.example/\nis a page on moss').program).toBeUndefined();
});

test('IMP-2: one conversation of Claude or ChatGPT has its current branch', () => {
  const message = (uuid: string, parent: string, sender: string, text: string) => ({
    uuid,
    parent_message_uuid: parent,
    sender,
    content: [
      { type: 'thinking', thinking: 'hidden' },
      { type: 'text', text },
    ],
  });
  const chat_messages = [
    message('1', 'root', 'human', 'Where do newts live?'),
    message('2', '1', 'assistant', 'In ponds.'),
    message('3', '1', 'assistant', 'In ponds and woods.'),
    message('4', '3', 'human', 'And in winter?'),
  ];
  const conversation = { uuid: 'c', name: 'Newts', chat_messages, current_leaf_message_uuid: '4' };
  const newts = read('Newts.json', conversation);
  expect([newts.program, capturesOf(newts.items)[0]?.messages?.map(({ text }) => text)]).toEqual([
    'Claude',
    ['Where do newts live?', 'In ponds and woods.', 'And in winter?'],
  ]);
  const circle = { ...conversation, chat_messages: [message('4', '4', 'human', 'Again')] };
  expect(capturesOf(read('c.json', circle).items)[0]?.messages).toHaveLength(1);
  const node = (id: string, parent: string | null, text: string) => ({
    id,
    parent,
    message: { author: { role: 'user' }, content: { content_type: 'text', parts: [text] } },
  });
  const mapping = { a: node('a', null, 'Tea?'), old: node('old', 'a', 'Old'), b: node('b', 'a', 'New') };
  const tea = read('tea.json', { title: 'Tea', conversation_id: 'c', current_node: 'b', mapping });
  expect([tea.program, capturesOf(tea.items)[0]?.messages?.map(({ text }) => text)]).toEqual([
    'ChatGPT',
    ['Tea?', 'New'],
  ]);
});

test('IMP-4: a note of a journal has the day of its name', () => {
  const dayOf = (name: string) => capturesOf(read(name, 'Some words.').items)[0]?.capturedAt?.slice(0, 10);
  for (const name of [
    '2023-11-05.md',
    'Daily/2023_11_05.md',
    'journals/20231105.md',
    '2023-11-05 Sunday.md',
    '2023.11.05-walk.md',
  ])
    expect([name, dayOf(name)]).toEqual([name, '2023-11-05']);
  for (const name of [
    '2023-02-31.md',
    '2999-01-01.md',
    '202311051230.md',
    'Version 2023-11-05.md',
    '2023-11.md',
    'Tea.md',
  ])
    expect([name, dayOf(name)]).toEqual([name, undefined]);
});
