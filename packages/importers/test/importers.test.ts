import { readFileSync } from 'node:fs';
import type { ExportedItem } from '@recollect/core';
import { type Item, importers, importFile } from '@recollect/importers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defineImporter, readEach } from '../src/importer.js';
import { capturesOf, read, readLater, skippedOf } from './read.js';

const node = (id: string, parent: string | null, message: unknown) => ({ [id]: { id, parent, children: [], message } });
const said = (role: string, text: string, more = {}) => ({
  author: { role },
  create_time: 1_700_000_000,
  content: { content_type: 'text', parts: [text] },
  ...more,
});

test('IMP-1: docs/importing.md lists the importers in the order in which they detect a file', () => {
  const page = readFileSync(new URL('../../../docs/importing.md', import.meta.url), 'utf8');
  const [, list = ''] = /### Names of programs\n\n[^\n]*\n\n((?:- [^\n]*\n)+)/.exec(page) ?? [];
  const names = [...new Set(importers.map(({ program }) => program))];
  expect(list).toBe(names.map((name) => `- ${name}\n`).join(''));
});

describe('conversations', () => {
  test('IMP-2: ChatGPT: the shown branch of each, without hidden messages, also where some exports lack fields', () => {
    const mapping = {
      ...node('root', null, null),
      ...node('system', 'root', said('system', 'You are helpful.')),
      ...node(
        'hidden',
        'system',
        said('user', 'About me', { metadata: { is_visually_hidden_from_conversation: true } }),
      ),
      ...node('q1', 'hidden', said('user', 'How hot should tea be?')),
      ...node('old', 'q1', said('assistant', 'An answer that was replaced.')),
      ...node('think', 'q1', { ...said('assistant', ''), content: { content_type: 'thoughts', thoughts: [] } }),
      ...node('call', 'think', said('assistant', 'search("tea")', { recipient: 'web' })),
      ...node('tool', 'call', said('tool', 'results')),
      ...node('a1', 'tool', said('assistant', 'About 80 °C.\ue200cite\ue202turn0search1\ue201')),
      ...node('q2', 'a1', {
        ...said('user', ''),
        content: { content_type: 'multimodal_text', parts: [{ asset_pointer: 'file://1' }, 'And this one?'] },
      }),
    };
    const { program, items } = read('conversations.json', [
      { title: 'Tea', id: 'c-1', create_time: 1_700_000_000.5, current_node: 'q2', mapping, is_starred: true },
      { title: null, conversation_id: 'c-2', mapping: node('a', 'gone', said('user', 'No end')) },
      { title: 'Gone', id: 'c-4', current_node: 'gone', mapping: node('a', null, said('user', 'Still here')) },
      { title: 'Empty', id: 'c-3', current_node: 'x', mapping: {} },
      'broken',
    ]);
    expect(program).toBe('ChatGPT');
    const [first, second, third] = capturesOf(items);
    expect(third).toMatchObject({ title: 'Gone', messages: [{ text: 'Still here' }] });
    expect(first).toMatchObject({
      title: 'Tea',
      url: 'https://chatgpt.com/c/c-1',
      sourceApp: 'chatgpt',
      captureMode: 'conversation',
      capturedAt: '2023-11-14T22:13:20.500Z',
      metadata: { conversationId: 'c-1' },
      messages: [
        { role: 'user', text: 'How hot should tea be?' },
        { role: 'assistant', text: 'About 80 °C.' },
        { role: 'user', text: 'And this one?' },
      ],
    });
    expect((items[0] as ExportedItem).isStarred).toBe(true);
    expect(second).toMatchObject({ title: '', url: 'https://chatgpt.com/c/c-2', messages: [{ text: 'No end' }] });
    expect(skippedOf(items)).toEqual([{ skipped: 'Empty', reason: 'The conversation has no messages.' }]);
  });

  test('IMP-2: ChatGPT: the text of a canvas and the report of a deep research are at their place in the conversation', () => {
    const call = (to: string, given: object) => ({
      ...said('assistant', '', { recipient: `canmore.${to}` }),
      content: { content_type: 'code', language: 'json', text: JSON.stringify(given) },
    });
    const report = { status: 'completed', report_message: { content: { parts: ['# Tea\n\nIt is old.'] } } };
    const mapping = {
      ...node('q', null, said('user', 'Write about tea.')),
      ...node('w', 'q', call('create_textdoc', { name: 'Tea', type: 'document', content: '# Tea\n\nSteep it.' })),
      ...node('t', 'w', said('tool', 'Successfully created text document')),
      ...node('c', 't', call('create_textdoc', { name: 'Steep', type: 'code/python', content: '\n  print("```")\n' })),
      ...node('u', 'c', call('update_textdoc', { updates: [{ pattern: 'Steep', replacement: 'Brew it.' }, {}] })),
      ...node('n', 'u', call('comment_textdoc', { comments: [{ comment: 'Shorter?' }] })),
      ...node('r', 'n', said('tool', '', { metadata: { chatgpt_sdk: { widget_state: JSON.stringify(report) } } })),
      ...node(
        's',
        'r',
        said('assistant', 'See above.', { metadata: { chatgpt_sdk: { widget_state: JSON.stringify(report) } } }),
      ),
      ...node('a', 's', said('assistant', 'Here it is.')),
    };
    const { items } = read('conversations.json', [{ title: 'Tea', id: 'c-1', current_node: 'a', mapping }]);
    const messages = capturesOf(items)[0]?.messages?.map(({ role, text }) => [role, text]);
    expect(messages).toEqual([
      ['user', 'Write about tea.'],
      ['assistant', '# Tea\n\nSteep it.'],
      ['assistant', '**Steep**\n\n````python\n  print("```")\n````'],
      ['assistant', '**Steep**\n\n```python\nBrew it.\n```'],
      ['assistant', '# Tea\n\nIt is old.'],
      ['assistant', 'See above.'],
      ['assistant', 'Here it is.'],
    ]);
  });

  test('IMP-2: Claude: artifacts and files are where they were written, also between the tags of old', () => {
    const use = (name: string, input: object) => ({ type: 'tool_use', name, input });
    const old =
      'Here:\n<antArtifact identifier="a" type="text/html" title="Page">\n<p>Tea</p>\n</antArtifact>\nAnd <antArtifact is a tag.';
    const answers = [
      [
        { type: 'text', text: 'I write it down.' },
        use('artifacts', { command: 'create', id: 'x', type: 'text/markdown', title: 'On tea', content: '# Tea' }),
        { type: 'tool_result', content: [{ type: 'text', text: 'OK' }] },
        { type: 'text', text: 'Done.' },
      ],
      [
        use('artifacts', { command: 'update', id: 'x', old_str: 'Tea', new_str: 'Green tea' }),
        use('artifacts', {
          id: 'y',
          type: 'application/vnd.ant.code',
          language: 'ruby',
          title: 'Kettle',
          content: 'a',
        }),
        use('artifacts', { command: 'update', id: 'y', old_str: 'a', new_str: 'boil' }),
      ],
      [use('create_file', { path: '/mnt/steep.py', file_text: 'print(80)\n' }), use('bash_tool', { command: 'ls' })],
      [use('str_replace', { path: '/mnt/notes.md', old_str: 'a', new_str: 'A longer note.' })],
      [{ type: 'text', text: old }],
    ];
    const chat_messages = answers.map((content) => ({ sender: 'assistant', text: '', content }));
    const { items } = read('conversations.json', [{ uuid: 'u-1', name: 'Tea', chat_messages }]);
    expect(capturesOf(items)[0]?.messages?.map(({ text }) => text)).toEqual([
      'I write it down.\n\n**On tea**\n\n# Tea\n\nDone.',
      '**On tea**\n\nGreen tea\n\n**Kettle**\n\n```ruby\na\n```\n\n**Kettle**\n\n```ruby\nboil\n```',
      '**steep.py**\n\n```py\nprint(80)\n```',
      '**notes.md**\n\nA longer note.',
      'Here:\n\n**Page**\n\n```html\n<p>Tea</p>\n```\n\nAnd <antArtifact is a tag.',
    ]);
  });

  test('IMP-2: Claude: parts of any shape, and tags in any order, are read to an end', () => {
    const piece = fc.constantFrom('<antArtifact ', 'title="a"', '>', '</antArtifact>', '`', 'text', '"');
    const part = fc.oneof(
      fc.anything(),
      fc.record({ type: fc.constant('text'), text: fc.array(piece).map((pieces) => pieces.join('')) }),
      fc.record({ type: fc.constant('tool_use'), name: fc.constant('artifacts'), input: fc.anything() }),
    );
    fc.assert(
      fc.property(fc.array(part), (content) => {
        const { items } = read('conversations.json', [
          { uuid: 'u', chat_messages: [{ sender: 'assistant', content }] },
        ]);
        expect(items).toHaveLength(1);
      }),
    );
  });

  test('IMP-2: a conversation that cannot be read ends nothing', () => {
    const good = { title: 'Good', id: 'c-2', mapping: node('a', null, said('user', 'Still here')) };
    const odd = { title: 'Odd', id: 'half \ud83d', mapping: node('a', null, said('user', 'Odd id')) };
    const broken = { ...good, title: 'Broken', mapping: { a: { parent: null, message: said('user', 'x') } } };
    Object.defineProperty(broken, 'id', {
      get: () => {
        throw new Error('gone');
      },
    });
    const file = { ...importFile('conversations.json', '[]'), entries: () => [odd, broken, good] };
    const importer = importers.find(({ program }) => program === 'ChatGPT');
    expect([...((importer?.read(file) ?? []) as Iterable<Item>)]).toMatchObject([
      { capture: { title: 'Odd' } },
      { skipped: 'Broken', reason: 'It cannot be read: gone.' },
      { capture: { title: 'Good' } },
    ]);
  });

  test('IMP-2: a tree with a cycle, of any shape, is read to an end', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd');
    const anyNode = fc.record({ parent: fc.option(id), message: fc.anything() });
    fc.assert(
      fc.property(fc.dictionary(id, anyNode), fc.option(id), (mapping, current) => {
        read('conversations.json', [{ mapping, current_node: current }]);
      }),
    );
  });

  test('IMP-2: Claude: the texts of messages and attachments', () => {
    const { program, items } = read('conversations.json', [
      {
        uuid: 'u-1',
        name: 'Bees',
        created_at: '2026-01-01T10:00:00.000000Z',
        chat_messages: [
          {
            sender: 'human',
            text: 'How do bees dance?',
            content: [{ type: 'text', text: 'How do bees dance?' }],
            attachments: [{ file_name: 'bees.txt', extracted_content: 'Scouts dance.' }],
          },
          {
            sender: 'assistant',
            text: '',
            content: [
              { type: 'thinking', thinking: 'Hm.' },
              { type: 'text', text: 'In eights.' },
              { type: 'tool_use', name: 'search' },
            ],
          },
        ],
      },
      { uuid: 'u-2', name: '', chat_messages: [] },
    ]);
    expect(program).toBe('Claude');
    expect(capturesOf(items)).toMatchObject([
      {
        title: 'Bees',
        url: 'https://claude.ai/chat/u-1',
        capturedAt: '2026-01-01T10:00:00.000Z',
        messages: [
          { role: 'user', text: 'How do bees dance?\n\nbees.txt:\n\nScouts dance.' },
          { role: 'assistant', text: 'In eights.' },
        ],
      },
    ]);
    expect(skippedOf(items)).toHaveLength(1);
  });
});

describe('links', () => {
  const BOOKMARKS = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE><H1>Bookmarks</H1>
<DL><p>
    <DT><H3 ADD_DATE="1700000000" PERSONAL_TOOLBAR_FOLDER="true">Bookmarks bar</H3>
    <DL><p>
        <DT><A HREF="https://tea.example/green?a=1&amp;b=2" ADD_DATE="1700000001" TAGS="drink,tea" ICON="data:x">Green &amp; good</A>
        <DD>How to steep it. [linkding-notes]Below boiling.[/linkding-notes]
        <DT><H3>Bees</H3>
        <DL><p>
            <DT><A HREF="https://bees.example/" ADD_DATE="1700000002000000">Bees</A>
        </DL><p>
        <DT><A HREF="javascript:alert(1)">A bookmarklet</A>
    </DL><p>
    <DT><A HREF="https://last.example/" ADD_DATE="1700000003000"></A>
</DL><p>`;

  test('IMP-3: bookmarks: folders, tags, notes and times in any unit', () => {
    const { program, items } = read('bookmarks.html', BOOKMARKS);
    expect(program).toBe('browser bookmarks');
    expect(capturesOf(items)).toMatchObject([
      {
        url: 'https://tea.example/green?a=1&b=2',
        title: 'Green & good',
        pageText: 'Green & good\n\nHow to steep it.',
        note: 'Below boiling.',
        tags: ['drink', 'tea'],
        capturedAt: '2023-11-14T22:13:21.000Z',
        metadata: {},
      },
      {
        url: 'https://bees.example/',
        tags: ['Bees'],
        capturedAt: '2023-11-14T22:13:22.000Z',
        metadata: { folder: 'Bees' },
      },
      { url: 'https://last.example/', title: 'https://last.example/', capturedAt: '2023-11-14T22:13:23.000Z' },
    ]);
    expect(skippedOf(items)).toEqual([{ skipped: 'A bookmarklet', reason: 'Not an http or https address.' }]);
  });

  test('IMP-3: a folder of bookmarks is a tag with its path, without the folders that a browser makes', () => {
    const { items } = read(
      'bookmarks.html',
      `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p><DT><H3 PERSONAL_TOOLBAR_FOLDER="true">Barre personnelle</H3><DL><p>
<DT><H3>Development</H3><DL><p><DT><H3>Databases, old </H3><DL><p><DT><A HREF="https://a.example/">A</A></DL><p>
<DT><A HREF="https://b.example/">B</A></DL><p></DL><p><DT><H3>${'long '.repeat(25)}</H3><DL><p><DT><H3>Inner</H3><DL><p>
<DT><A HREF="https://c.example/" TAGS="x">C</A></DL></DL><DT><A HREF="https://d.example/">D</A></DL>`,
    );
    expect(capturesOf(items).map(({ tags }) => tags)).toEqual([
      ['Development/Databases old'],
      ['Development'],
      ['x', 'Inner'],
      [],
    ]);
  });

  test('IMP-3: a description of a folder is not one of a link, and an address with a fragment is in the text', () => {
    const { items } = read(
      'bookmarks.html',
      `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p><DT><A HREF="https://a.example/#/1">A</A>
<DT><H3>Work</H3><DD>All for work<DL><p><DT><A HREF="https://b.example/">B</A></DL></DL>`,
    );
    expect(capturesOf(items).map(({ pageText }) => pageText)).toEqual(['A\n\nhttps://a.example/#/1', 'B']);
  });

  test('IMP-3: a link in a description belongs to it, and a tag of linkding says that a page was archived', () => {
    const { items } = read(
      'bookmarks.html',
      `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p><DT><A HREF="https://a.example/" TAGS="x,linkding:bookmarks.archived">A</A>
<DD>See <a href="https://c.example/">this</a> and more<DT><A HREF="https://b.example/">B</A></DL>`,
    );
    expect(items).toMatchObject([
      { capture: { title: 'A', pageText: 'A\n\nSee this and more', tags: ['x'] }, isRead: true },
      { capture: { title: 'B', pageText: 'B' } },
    ]);
    expect(items[1]).not.toHaveProperty('isRead');
  });

  test('IMP-1: a table that is broken at its end is read up to there', () => {
    const { items } = read(
      'part_000000.csv',
      '\n\ntitle,url,time_added,tags,status\nA,https://a.example/,1700000000,,unread\nB,https://b.example/,1700000000,,unread\n"C,https://c.example/,1700000000,,unread\n',
    );
    expect(capturesOf(items).map(({ title }) => title)).toEqual(['A', 'B']);
    expect(skippedOf(items)).toMatchObject([{ skipped: 'part_000000.csv, after row 2' }]);
  });

  test('IMP-3: reads the read state from the HTML of Pocket', () => {
    const { items } = read(
      'ril_export.html',
      `<!DOCTYPE html><html><head><title>Pocket Export</title></head><body><h1>Unread</h1><ul>
<li><a href="https://a.example/" time_added="1700000000" tags="x,y">A</a></li></ul><h1>Read Archive</h1><ul>
<li><a href="https://b.example/" time_added="1700000000" tags="">B</a></li></ul></body></html>`,
    );
    expect(items).toMatchObject([
      { capture: { tags: ['x', 'y'] }, place: 'later' },
      { capture: { title: 'B' }, isRead: true, place: 'archive' },
    ]);
    expect((items[0] as ExportedItem).isRead).toBeUndefined();
  });

  test.each([
    [
      'Pocket',
      'title,url,time_added,tags,status\n"A, b",https://a.example/,1700000000,x|y,archive\nhttps://b.example/,https://b.example/,1700000000,,unread\n',
      [
        { capture: { title: 'A, b', tags: ['x', 'y'] }, isRead: true, place: 'archive' },
        { capture: { title: 'https://b.example/' }, place: 'later' },
      ],
    ],
    [
      'Instapaper',
      'URL,Title,Selection,Folder,Timestamp,Tags\nhttps://a.example/,A,"A ""quote""",Archive,1700000000,"[""x"",""\\u00fcber""]"\nhttps://b.example/,B,,Tea,1700000000,[]\nhttps://c.example/,C,,Unread,1700000000,[]\n',
      [
        { capture: { title: 'A', pageText: 'A\n\nA "quote"', tags: ['x', 'über'] }, isRead: true },
        { capture: { title: 'B', tags: ['Tea'] } },
        { capture: { title: 'C', tags: [] }, place: 'later' },
      ],
    ],
    [
      // Saved again by a spreadsheet in German.
      'Instapaper',
      'URL;Title;Selection;Folder;Timestamp;Tags\nhttps://a.example/;"A, b; c";;Tea;1700000000;[]\n',
      [{ capture: { title: 'A, b; c', tags: ['Tea'] } }],
    ],
    [
      'Raindrop',
      '\uFEFFid,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite\n1,A,"My\nnote",About it,https://a.example/,Work/Tea,"x, y",2024-03-01T10:00:00.000Z,,"One\nTwo",true\n',
      [
        {
          capture: {
            pageText: 'A\n\nAbout it\n\n> One\n\n> Two',
            note: 'My\nnote',
            tags: ['x', 'y', 'Work/Tea'],
            capturedAt: '2024-03-01T10:00:00.000Z',
          },
          isStarred: true,
        },
      ],
    ],
    [
      'Readwise Reader',
      "Title,URL,ID,Document tags,Saved date,Reading progress,Location,Seen\nA,https://a.example/,1,\"['x', 'it\\'s']\",2024-03-01 10:00:00+00:00,0.5,archive,True\nB,https://b.example/,2,[],2024-03-01 10:00:00+00:00,0,feed,False\nC,https://c.example/,3,[],2024-03-01 10:00:00+00:00,0,new,False\nD,https://d.example/,4,[],2024-03-01 10:00:00+00:00,0,shortlist,False\n",
      [
        { capture: { title: 'A', tags: ['x', "it's"], capturedAt: '2024-03-01T10:00:00.000Z' }, isRead: true },
        { skipped: 'B', reason: 'It is an entry of a feed, which was not saved.' },
        { capture: { title: 'C' }, place: 'inbox' },
        { capture: { title: 'D' }, place: 'later' },
      ],
    ],
    [
      'Readwise',
      'Highlight,Book Title,Book Author,Amazon Book ID,Note,Color,Tags,Location Type,Location,Highlighted at,Document tags\nA passage,Dune,Frank Herbert,,My note,,"x,y",page,12,2024-03-01 10:00:00+00:00,"books, z"\n',
      [
        {
          capture: {
            selection: 'A passage\n\n— Dune, Frank Herbert',
            title: 'Dune',
            note: 'My note',
            tags: ['x', 'y', 'books', 'z'],
            metadata: { author: 'Frank Herbert' },
          },
        },
      ],
    ],
  ])('IMP-3: the table of %s', (name, table, expected) => {
    const { program, items } = read('export.csv', table);
    expect(program).toBe(name);
    expect(items).toMatchObject(expected);
    expect(items).toHaveLength(expected.length);
  });

  test('IMP-3: Karakeep, Linkwarden and wallabag', () => {
    const karakeep = read('karakeep.json', {
      bookmarks: [
        {
          createdAt: 1_700_000_000,
          title: 'A',
          tags: ['x'],
          lists: ['l1'],
          content: { type: 'link', url: 'https://a.example/' },
          note: 'n',
          archived: true,
        },
        {
          createdAt: 1_700_000_000,
          title: null,
          tags: [],
          content: { type: 'text', text: 'A note' },
          favourited: true,
        },
        { createdAt: 1_700_000_000, title: 'Scan', tags: [], content: null },
        { createdAt: 1_700_000_000, title: 'Bill', tags: [], content: null, note: 'Paid in May' },
      ],
      lists: [
        { id: 'l0', name: 'Drinks', parentId: null },
        { id: 'l1', name: 'Tea', parentId: 'l0' },
      ],
    });
    expect(karakeep.program).toBe('Karakeep');
    expect(karakeep.items).toMatchObject([
      {
        capture: {
          url: 'https://a.example/',
          tags: ['x', 'Drinks/Tea'],
          note: 'n',
          capturedAt: '2023-11-14T22:13:20.000Z',
        },
        isRead: true,
      },
      { capture: { pageText: 'A note' }, isStarred: true },
      { skipped: 'Scan' },
      { capture: { pageText: '# Bill\n\nPaid in May' } },
    ]);
    const linkwarden = read('linkwarden.json', {
      pinnedLinks: [{ id: 7 }],
      collections: [
        { id: 1, name: 'Work', parentId: null, links: [] },
        {
          id: 2,
          name: 'Tea',
          parentId: 1,
          links: [
            {
              id: 7,
              name: 'A',
              url: 'https://a.example/',
              description: 'd',
              tags: [{ name: 'x' }],
              createdAt: '2024-03-01T10:00:00.000Z',
            },
          ],
        },
        { id: 3, name: 'Unorganized', parentId: null, links: [{ id: 8, name: 'B', url: 'https://b.example/' }] },
      ],
    });
    expect(linkwarden.items).toMatchObject([
      { capture: { tags: ['x', 'Work/Tea'], pageText: 'A\n\nd' }, isStarred: true },
      { capture: { tags: [], pageText: 'B' } },
    ]);
    const wallabag = read('wallabag.json', [
      {
        url: 'https://a.example/',
        title: 'A',
        content: '<p>Tea</p>',
        tags: ['x'],
        created_at: '2024-03-01T10:00:00+0100',
        is_archived: 1,
        is_starred: 0,
      },
      {
        url: 'https://b.example/',
        title: 'B',
        content: '<p></p>',
        is_archived: 0,
        annotations: [{ quote: 'q', text: 't' }],
      },
    ]);
    expect(wallabag.items).toMatchObject([
      { capture: { html: '<p>Tea</p>', capturedAt: '2024-03-01T09:00:00.000Z' }, isRead: true },
      { capture: { pageText: 'B', note: '> q\n\nt' } },
    ]);
  });
});

describe('notes and memories', () => {
  test('IMP-4: a note of Google Keep', () => {
    const { program, items } = read('Takeout/Keep/Tea.json', {
      title: 'Tea',
      textContent: 'Green',
      listContent: [
        { text: 'Buy', isChecked: true },
        { text: 'Steep', isChecked: false },
      ],
      labels: [{ name: 'kitchen' }],
      annotations: [{ source: 'WEBLINK', url: 'https://tea.example/' }],
      attachments: [{ filePath: 'tea.png', mimetype: 'image/png' }],
      isPinned: true,
      isArchived: true,
      isTrashed: false,
      createdTimestampUsec: 1_700_000_000_000_000,
      userEditedTimestampUsec: 1_700_000_001_000_000,
    });
    expect(program).toBe('Google Keep');
    expect(items).toMatchObject([
      {
        capture: {
          pageText: '# Tea\n\nGreen\n\n- [x] Buy\n- [ ] Steep\n\nhttps://tea.example/',
          tags: ['kitchen'],
          capturedAt: '2023-11-14T22:13:20.000Z',
          metadata: { attachments: ['tea.png'] },
        },
        isStarred: true,
        isRead: true,
      },
    ]);
  });

  test('IMP-4: a page that was shared with Google Keep is a link, and a note with a link is a note', () => {
    const page = {
      source: 'WEBLINK',
      url: 'https://tea.example/',
      title: 'All about tea',
      description: 'Green and black.',
    };
    const note = (more: object) =>
      read('Takeout/Keep/1.json', {
        title: '',
        isPinned: true,
        isTrashed: false,
        labels: [{ name: 'kitchen' }],
        createdTimestampUsec: 1_700_000_000_000_000,
        userEditedTimestampUsec: 1_700_000_001_000_000,
        ...more,
      }).items;
    expect(note({ annotations: [page], textContent: 'https://tea.example/' })).toMatchObject([
      {
        capture: {
          url: 'https://tea.example/',
          title: 'All about tea',
          pageText: 'All about tea\n\nGreen and black.',
          tags: ['kitchen'],
          capturedAt: '2023-11-14T22:13:20.000Z',
          metadata: {},
        },
        isStarred: true,
      },
    ]);
    expect(note({ annotations: [page], textContent: '', title: 'Mine' })).toMatchObject([
      { capture: { title: 'Mine' } },
    ]);
    for (const more of [
      { annotations: [page], textContent: 'Read this: https://tea.example/' },
      { annotations: [page, page] },
      { annotations: [page], attachments: [{ filePath: 'tea.png' }] },
      { annotations: [{ url: 'tel:1' }] },
    ])
      expect(note(more)).toMatchObject([{ capture: { sourceApp: 'keep' } }]);
  });

  test('IMP-4: memories of assistants', () => {
    expect(
      read('memories.json', {
        memories: [
          {
            content: 'Ann likes tea',
            tags: 'ann, tea',
            created_at: 1_700_000_000.25,
            memory_type: 'preference',
            metadata: { a: 1 },
          },
          { content: '' },
        ],
      }).items,
    ).toMatchObject([
      {
        capture: {
          pageText: 'Ann likes tea',
          tags: ['ann', 'tea'],
          capturedAt: '2023-11-14T22:13:20.250Z',
          metadata: { a: 1, memoryType: 'preference' },
        },
      },
      { reason: 'The memory has no text.' },
    ]);
    expect(
      read('mem0.json', {
        results: [{ memory: 'Bob likes bees', created_at: '2024-03-01T10:00:00Z', categories: ['hobby'] }],
      }).items,
    ).toMatchObject([{ capture: { pageText: 'Bob likes bees', tags: ['hobby'] } }]);
    expect(
      read('memories.json', {
        memories: [
          {
            id: 1,
            content: 'Eve likes cake',
            app_id: 'a',
            category_ids: ['c'],
            metadata: { text: 'x'.repeat(70_000) },
          },
        ],
        categories: [{ id: 'c', name: 'food' }],
        apps: [{ id: 'a', name: 'cursor' }],
      }).items,
    ).toMatchObject([{ capture: { tags: ['food'], sourceApp: 'cursor', metadata: undefined } }]);
    const lines = [
      { type: 'entity', name: 'Ann', entityType: 'person', observations: ['likes tea', 'has a dog'] },
      { type: 'relation', from: 'Ann', to: 'Bob', relationType: 'knows' },
      { type: 'entity', name: 'Bob', entityType: 'person', observations: [] },
      { type: 'entity', name: 'Eve', entityType: 'person', observations: [] },
      { type: 'entity', entityName: 'Carol', entityType: 'person', observations: [{ content: 'sings' }] },
      { type: 'relation', from: 'Ghost', to: 'Ann', relationType: 'haunts' },
    ];
    const { program, items } = read('memory.json', lines.map((line) => JSON.stringify(line)).join('\n'));
    expect(program).toBe('MCP reference memory');
    const known = [
      { capture: { title: 'Ann', pageText: 'Ann\n\n- likes tea\n- has a dog\n- knows: Bob', tags: ['person'] } },
      { capture: { title: 'Bob', pageText: 'Bob\n\n- Ann knows Bob' } },
      { skipped: 'Eve', reason: 'Nothing is known of it.' },
      { capture: { title: 'Carol', pageText: 'Carol\n\n- sings' } },
      { capture: { title: 'Ghost', pageText: 'Ghost\n\n- haunts: Ann' } },
    ];
    expect(items).toMatchObject(known);
    const [entities, relations] = ['entity', 'relation'].map((kind) => lines.filter(({ type }) => type === kind));
    expect(read('graph.json', { entities, relations })).toMatchObject({ program, items: known });
  });

  test('IMP-4: lines of memories, and their state', () => {
    const line = (content: string, state: string) =>
      JSON.stringify({ content, state, metadata: {}, created_at: '2024-03-01T10:00:00Z', app: 'cursor' });
    const { items } = read(
      'memories.jsonl',
      [line('Ann likes tea', 'active'), line('Ann is away', 'paused'), line('Old', 'deleted')].join('\n'),
    );
    expect(items).toMatchObject([
      {
        capture: {
          pageText: 'Ann likes tea',
          sourceApp: 'cursor',
          capturedAt: '2024-03-01T10:00:00.000Z',
          metadata: {},
        },
      },
      { capture: { pageText: 'Ann is away', metadata: { state: 'paused' } } },
      { skipped: 'Old', reason: 'It was deleted there.' },
    ]);
  });

  test('IMP-4: the memory of Claude, and the documents of its projects', () => {
    const remembered = { conversations_memory: 'Likes tea.', project_memories: { p: 'Is about bees.' } };
    for (const json of [remembered, [remembered]])
      expect(capturesOf(read('memories.json', json).items)).toMatchObject([
        { pageText: 'Likes tea.', sourceApp: 'claude' },
        { pageText: 'Is about bees.' },
      ]);
    const { program, items } = read('projects.json', [
      { name: 'How to use Claude', is_starter_project: true, prompt_template: '', docs: [] },
      {
        name: 'Bees',
        description: 'A hive on the roof',
        prompt_template: 'Answer in German.',
        created_at: '2024-03-01T10:00:00Z',
        docs: [
          { filename: 'hive.md', content: 'Ten frames.', created_at: '2024-03-02T10:00:00Z' },
          { filename: 'empty.md', content: '' },
        ],
      },
    ]);
    expect(program).toBe('Claude');
    expect(items).toMatchObject([
      { skipped: 'How to use Claude' },
      { capture: { title: 'Bees', pageText: '# Bees\n\nA hive on the roof\n\nAnswer in German.' } },
      {
        capture: { title: 'hive.md', pageText: 'Ten frames.', tags: ['Bees'], capturedAt: '2024-03-02T10:00:00.000Z' },
      },
      { skipped: 'empty.md' },
    ]);
  });

  test('IMP-5: captures in every shape in which a client sends them', () => {
    const tea = { title: 'Tea', pageText: 'Green tea', tags: ['drink'], capturedAt: '2024-03-01T10:00:00Z' };
    const chat = { messages: [{ role: 'user', text: 'Hello' }], sourceApp: 'chatgpt', captureMode: 'conversation' };
    for (const content of [
      [tea, chat],
      { captures: [tea, chat] },
      [tea, chat].map((one) => JSON.stringify(one)).join('\n'),
    ])
      expect(capturesOf(read('captures.json', content).items)).toMatchObject([
        { ...tea, capturedAt: '2024-03-01T10:00:00.000Z' },
        chat,
      ]);
    expect(read('one.json', { capture: tea }).items).toHaveLength(1);
    expect(read('one.json', tea).items).toHaveLength(1);
    expect(skippedOf(read('two.json', [tea, { title: 'Empty' }]).items)).toEqual([
      { skipped: 'Empty', reason: 'The capture has no text.' },
    ]);
    // A chat of Telegram.
    expect(read('result.json', { name: 'Ann', messages: [{ id: 1, type: 'message', text: 'Hi' }] }).program).toBe(
      undefined,
    );
  });

  test('IMP-4: clippings of Kindle, in any language', () => {
    const { program, items } = read(
      'My Clippings.txt',
      [
        '\uFEFFDune (Frank Herbert)',
        '- Your Highlight on page 12 | location 170-172 | Added on Sunday, March 3, 2024 10:15:00 AM',
        '',
        'Fear is',
        '==========',
        'Dune (Frank Herbert)',
        '- Your Highlight on page 12 | location 170-172 | Added on Sunday, March 3, 2024 10:15:20 AM',
        '',
        'Fear is the mind-killer.',
        '==========',
        'Siddhartha (German Edition) (Hesse, Hermann)',
        '- Ihre Markierung auf Seite 5 | Hinzugefügt am Sonntag, 3. März 2024 10:15:00',
        '',
        'Ich kann denken.',
        '==========',
        'Dune (Frank Herbert)',
        '- Your Bookmark on page 13 | Added on Sunday, March 3, 2024 10:15:00 AM',
        '',
        '',
        '==========',
        '',
      ].join('\r\n'),
    );
    expect(program).toBe('Kindle');
    expect(items).toMatchObject([
      { skipped: 'Dune', reason: 'A later clipping contains it.' },
      {
        capture: {
          title: 'Dune',
          selection: 'Fear is the mind-killer.\n\n— Dune, Frank Herbert',
          metadata: { author: 'Frank Herbert' },
        },
      },
      {
        capture: {
          title: 'Siddhartha (German Edition)',
          capturedAt: '2024-03-03T10:15:00.000Z',
          metadata: { author: 'Hesse, Hermann' },
        },
      },
      { skipped: 'Dune' },
    ]);
    expect((items[1] as ExportedItem).capture.capturedAt).toBe('2024-03-03T10:15:20.000Z');
  });

  test.each([
    ['- 位置No. 123-125のハイライト |作成日: 2015年3月3日火曜日 午後10:15:00', '2015-03-03T22:15:00.000Z'],
    ['- 您在位置 #123-125的标注 | 添加于 2016年4月5日星期二 上午12:15:00', '2016-04-05T00:15:00.000Z'],
    [
      '- Ваш выделенный отрывок на странице 5 | Добавлено: воскресенье, 3 марта 2024 г. в 10:15:00',
      '2024-03-03T10:15:00.000Z',
    ],
    ['- Twój wyróżniony fragment na stronie 5 | Dodano: niedziela, 3 marca 2024 10:15:00', '2024-03-03T10:15:00.000Z'],
    ['- Votre surlignement à l’emplacement 5-6 | Ajouté le dimanche 3 mars 2024 10:15:00', '2024-03-03T10:15:00.000Z'],
  ])('IMP-4: the time of a clipping of Kindle: %s', (place, time) => {
    const { program, items } = read('My Clippings.txt', `Dune\n${place}\n\nFear\n==========\n`);
    expect(program).toBe('Kindle');
    expect(capturesOf(items)).toMatchObject([{ capturedAt: time }]);
  });

  test('IMP-4: the notice that Kindle writes at the copy limit of a book is not read as a passage', () => {
    const limit = '<You have reached the clipping limit for this item>';
    const { items } = read(
      'My Clippings.txt',
      `Tea (Ann)\n- Your Highlight on page 2 | Added on Friday, 2 January 2026 10:00:00\n\n${limit}\n==========\n`,
    );
    expect(items).toEqual([{ skipped: 'Tea', reason: `Kindle has left its text out: ${limit}` }]);
  });

  test('IMP-4: passages that were marked in Pocket', () => {
    const { program, items } = read('pocket/annotations/part_000000.json', [
      {
        url: 'https://tea.example/how',
        title: 'Tea',
        highlights: [{ quote: 'Below boiling.', created_at: 1_500_000_100 }],
      },
    ]);
    expect(program).toBe('Pocket');
    expect(capturesOf(items)).toMatchObject([
      {
        url: 'https://tea.example/how',
        title: 'Tea',
        selection: 'Below boiling.',
        capturedAt: '2017-07-14T02:41:40.000Z',
      },
    ]);
  });

  test('IMP-4: a Kindle note belongs to the highlight at its position and is not read as a passage', () => {
    const added = 'Added on Sunday, March 3, 2024 10:15:00 AM';
    const clipping = (place: string, text: string) => `Dune (Herbert)\n- ${place} | ${added}\n\n${text}\n==========\n`;
    const { items } = read(
      'My Clippings.txt',
      [
        clipping('Your Note on page 12 | Location 172', 'So true'),
        clipping('Your Highlight on page 12 | Location 170-172', 'Fear is so true.'),
        clipping('Your Highlight on page 12 | Location 175-176', 'I will face my fear.'),
        clipping('Your Note on page 90 | Location 900', 'Read this again'),
      ].join(''),
    );
    expect(capturesOf(items).map(({ selection, note }) => [selection, note])).toEqual([
      ['Fear is so true.\n\n— Dune, Herbert', 'So true'],
      ['I will face my fear.\n\n— Dune, Herbert', undefined],
      ['Read this again\n\nNote on Dune, Herbert', undefined],
    ]);
    expect(items).toHaveLength(3);
  });
});

test('IMP-1: an entry that no library can read is skipped by every importer, and the next one is read', async () => {
  const deep = '<div>'.repeat(4_000);
  const activity = (title: string, html: string) => ({
    header: 'Gemini Apps',
    title,
    time: '2024-03-01T10:00:00Z',
    safeHtmlItem: [{ html }],
  });
  const { items } = await readLater('My Activity.json', [activity('Deep', deep), activity('Flat', '<p>Tea</p>')]);
  expect(skippedOf(items)).toEqual([{ skipped: 'Deep', reason: 'It is nested too deep.' }]);
  expect(capturesOf(items)).toHaveLength(1);
  const broken = () => {
    throw new Error('gone');
  };
  const importer = defineImporter({
    program: 'A program',
    detects: () => true,
    read: (file) =>
      readEach(
        [broken, () => ({ skipped: file.name, reason: 'Read.' })],
        (read) => read(),
        () => 'One',
      ),
  });
  expect([...(importer.read(importFile('a', '')) as Iterable<Item>)]).toEqual([
    { skipped: 'One', reason: 'It cannot be read: gone.' },
    { skipped: 'a', reason: 'Read.' },
  ]);
});

test('IMP-1: JSON that ends too early is damaged, and lines of JSON are not', () => {
  const damaged = ['[{"mapping":{', '{"memories":['].map((text) => importFile('conversations.json', text).isDamaged());
  expect(damaged).toEqual([true, true]);
  for (const [name, text] of [
    ['memory.json', '{"a":1}\n{"b":2}'],
    ['a.txt', '[x] done'],
    ['a.json', '{}'],
  ] as const)
    expect([name, importFile(name, text).isDamaged()]).toEqual([name, false]);
});

test('IMP-1: nothing else is taken for an export, and no file of any shape makes an importer fail', async () => {
  for (const text of [
    '',
    '{}',
    '[]',
    '[1]',
    'a,b\n1,2',
    '# Tea',
    '<html><a href="https://a.example">A</a></html>',
    '{"memories":1}',
  ])
    expect([text, read('file', text).program]).toEqual([text, undefined]);
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('', 'text', 'https://a.example/', 1_700_000_000, -1, null, true),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom(
          ...[
            'mapping',
            'current_node',
            'chat_messages',
            'content',
            'bookmarks',
            'collections',
            'links',
            'memories',
            'tags',
          ],
          ...[
            'type',
            'url',
            'title',
            'is_archived',
            'textContent',
            'userEditedTimestampUsec',
            'lists',
            'labels',
            'message',
          ],
        ),
        tie('any'),
        { maxKeys: 5 },
      ),
    ),
  })).any;
  await fc.assert(
    fc.asyncProperty(value, async (json) => {
      const file = importFile('file.json', JSON.stringify(json));
      for (const importer of importers)
        if (importer.detects(file)) for await (const item of importer.read(file)) expect(item).toBeDefined();
    }),
    { numRuns: 300 },
  );
});
