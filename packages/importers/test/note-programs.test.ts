import { type Item, importFile } from '@recollect/importers';
import { describe, expect, test } from 'vitest';
import { enmlToHtml } from '../src/enml-to-html.js';
import { evernote } from '../src/evernote.js';
import { capturesOf, read, readLater, skippedOf } from './read.js';

const note = (title: string, content: string, more = '') =>
  `<note><title>${title}</title><content><![CDATA[<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd"><en-note>${content}</en-note>]]></content>
<created>20240301T100000Z</created><updated>20240302T100000Z</updated>${more}</note>`;
const enex = (...notes: string[]) => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd">
<en-export export-date="20240303T100000Z" application="Evernote">${notes.join('\n')}</en-export>`;

test('IMP-4: notes of Evernote, with their tasks, lists and tables, and the names of attachments', async () => {
  const { program, items } = await readLater(
    'notes.enex',
    enex(
      note(
        'Tea &amp; bees',
        `<h1>Green</h1><div>Steep it <b>below</b> boiling.<br/>Not longer than <a href="https://tea.example/">this</a>.</div>
<div><en-todo checked="true"/>Buy leaves</div><div><en-todo/>Boil water</div>
<ul style="--en-todo:true;"><li style="--en-checked:false;"><div>Pour</div></li></ul>
<div style="box-sizing: border-box; --en-codeblock:true;"><div>const a = 1;</div><div>print(a)</div></div>
<div style="-en-codeblock: true; padding: 8px;"><div style="x">let b;</div><div><br clear="none"/></div><div>  b()</div></div>
<table><tr><td>Leaf</td><td>Minutes</td></tr><tr><td>Green</td><td>2</td></tr></table>
<div/><en-media type="image/png" hash="abc"/><en-crypt hint="x">secret</en-crypt>`,
        `<tag>drink</tag><tag>garden</tag><note-attributes><author>Ann</author></note-attributes>
<resource><data encoding="base64">QUJD</data><mime>image/png</mime><resource-attributes><file-name>tea.png</file-name></resource-attributes></resource>`,
      ),
      note(
        'Clip',
        '<div>About a hive.</div>',
        '<note-attributes><source-url>https://hive.example/a</source-url></note-attributes>',
      ),
      note(
        '',
        '<en-media type="image/png" hash="abc"/>',
        '<resource><resource-attributes><file-name>scan.pdf</file-name></resource-attributes></resource>',
      ),
    ),
  );
  expect(program).toBe('Evernote');
  const [tea, clip] = capturesOf(items);
  expect(tea).toMatchObject({
    title: 'Tea & bees',
    tags: ['drink', 'garden'],
    capturedAt: '2024-03-01T10:00:00.000Z',
    metadata: { author: 'Ann', attachments: ['tea.png'] },
  });
  for (const part of [
    '# Tea & bees',
    '# Green',
    'Steep it **below** boiling.',
    '[this](https://tea.example/)',
    '- [x] Buy leaves',
    '- [ ] Boil water',
    '- [ ] Pour',
    '| Green | 2 |',
    '```\nconst a = 1;\nprint(a)\n```',
    '```\nlet b;\n\n  b()\n```',
    '[encrypted]',
  ])
    expect(tea?.pageText?.replaceAll('\\', '')).toContain(part);
  expect(tea?.pageText).not.toContain('secret');
  expect(clip).toMatchObject({ url: 'https://hive.example/a', pageText: '# Clip\n\nAbout a hive.' });
  expect(skippedOf(items)).toEqual([{ skipped: 'scan.pdf', reason: 'The note has no text.' }]);
});

test('IMP-4: only the elements of a note itself describe it, and its tasks follow its text', async () => {
  const task = (title: string, status: string) =>
    `<task><title>${title}</title><created>20220101T000000Z</created><taskStatus>${status}</taskStatus>
<reminder><created>20230101T000000Z</created></reminder></task>`;
  const resource = `<resource><resource-attributes><source-url>https://cdn.bees.example/hive.png</source-url>
<file-name>hive.png</file-name></resource-attributes></resource>`;
  const source = '<note-attributes><source-url>https://bees.example/</source-url></note-attributes>';
  const { items } = await readLater(
    'notes.enex',
    enex(
      note('Hive', '<div>About a hive.</div>', `${source}${resource}`),
      note('Garden', '<div>Plan</div>', task('Water &amp; weed', 'open') + task('Buy seeds', 'completed')),
    ),
  );
  expect(capturesOf(items)).toMatchObject([
    { title: 'Hive', url: 'https://bees.example/', metadata: { attachments: ['hive.png'] } },
    {
      title: 'Garden',
      capturedAt: '2024-03-01T10:00:00.000Z',
      pageText: '# Garden\n\nPlan\n\n- [ ] Water & weed\n- [x] Buy seeds',
    },
  ]);
});

test('IMP-4: the markup of Evernote is parsed: quotes, entities, boxes within text, and code with markup', () => {
  expect(enmlToHtml(`<en-note><div title='a "b"'>1 &lt; 2&nbsp;<![CDATA[<&]]></div></en-note>`)).toBe(
    '<div><div title="a &quot;b&quot;">1 &lt; 2&nbsp;&lt;&amp;</div></div>',
  );
  expect(enmlToHtml('<div> <en-todo checked="true"/>a <b>b</b></div><p><en-todo/>c</p>')).toBe(
    '<ul><li><input type="checkbox" checked>a <b>b</b></li></ul><p><input type="checkbox">c</p>',
  );
  expect(
    enmlToHtml('<div style="--en-codeblock: true"> <div>a<br/>b</div> <div><br/></div><div><i>c</i></div></div>'),
  ).toBe('<pre>a\nb\n\n<i>c</i>\n</pre>');
  expect(enmlToHtml('<en-crypt><b>secret</b></en-crypt>a<en-media><b/></en-media>')).not.toContain('secret');
});

test('SEC-11: a note of Evernote that is nested too deep is skipped, and the next one is read', async () => {
  const { items } = await readLater(
    'notes.enex',
    enex(note('Deep', '<b>'.repeat(9_999)), note('Flat', '<div>a</div>')),
  );
  expect(skippedOf(items)).toEqual([{ skipped: 'Deep', reason: 'The elements of the note are nested too deep.' }]);
  expect(capturesOf(items)).toMatchObject([{ title: 'Flat' }]);
});

describe('SEC-11: the markup of Evernote is read in linear time', () => {
  const attacks: [string, (size: number) => string][] = [
    ['a tag without an end', (size) => `<${'a'.repeat(size)}`],
    ['a table', (size) => `<table>${'<tr><td>a</td></tr>'.repeat(size / 20)}</table>`],
    ['encrypted parts without an end', (size) => '<en-crypt>a'.repeat(size / 20)],
    ['boxes', (size) => '<div> <en-todo/>'.repeat(size / 20)],
    ['code blocks', (size) => '<div style="--en-codeblock: true"></div>'.repeat(size / 20)],
    ['spaces in code', (size) => `<div style="--en-codeblock: true">${' '.repeat(size)}</div>`],
    ['declarations', (size) => '<?xml '.repeat(size / 5)],
    ['tags without an end', (size) => '<span '.repeat(size / 5)],
  ];
  test.each(attacks)('%s', (_, attack) => {
    expect((size: number) => enmlToHtml(attack(size))).toTakeLinearTime(30_000);
  });

  test('notes without an end', async () => {
    const cut = `<en-export>${'<note>'.repeat(20_000)}</note>`;
    expect(skippedOf((await readLater('notes.enex', cut)).items)).toHaveLength(1);
  });
});

test('IMP-1: an export of Evernote that was cut off is read up to there', async () => {
  const cut = enex(note('A', '<div>a</div>'), note('B', '<div>b</div>')).slice(0, -120);
  const items: Item[] = [];
  const readAll = async () => {
    for await (const item of evernote.read(importFile('notes.enex', cut))) items.push(item);
  };
  await expect(readAll()).rejects.toThrow('the file ends within a note.');
  expect(items).toMatchObject([{ capture: { title: 'A' } }]);
});

test('IMP-4: pages of Notion, with the properties of their database and the pages that they are in', () => {
  const id = '0123456789abcdef0123456789abcdef';
  const { program, items } = read(
    `Export-1b2c.zip/Export-1b2c/Home ${id}/Drinks ${id}/Green tea ${id}.md`,
    `# Green tea

Tags: drink, hot water
URL: https://tea.example/
Created: March 1, 2024 10:00 AM

Steep it. See [Leaves](Green%20tea%20${id}/Leaves%20${id}.md) and [the site](https://tea.example/).
`,
  );
  expect(program).toBe('Notion');
  expect(capturesOf(items)).toMatchObject([
    {
      title: 'Green tea',
      url: 'https://tea.example/',
      tags: ['drink', 'hot water'],
      capturedAt: '2024-03-01T10:00:00.000Z',
      metadata: { folder: 'Home/Drinks' },
      pageText: expect.stringContaining('See Leaves and [the site](https://tea.example/).'),
    },
  ]);
  const plain = capturesOf(read(`Diary ${id}.md`, 'Today: sunny\nNo property').items);
  expect(plain).toMatchObject([{ title: 'Diary', tags: [], pageText: 'Today: sunny\nNo property' }]);
  expect(skippedOf(read(`Empty ${id}.md`, '\n').items)).toHaveLength(1);
});

test('IMP-4: links to pages of Notion whose names have parentheses become their text', () => {
  const id = '0123456789abcdef0123456789abcdef';
  const text = (markdown: string) => capturesOf(read(`Page ${id}.md`, markdown).items)[0]?.pageText;
  expect(
    text(`[Smile](Smile%20)%20${id}.md), [Sad :(](Sad%20(%20${id}.md#top), ![x](1)%20(2.png) and (see [b](B%20(c)/D%20${id}.md)).
[Page](https://a.example/b_(c).md) [Folder](Folder%20(old)) [db](db%20)%20${id}.csv)`),
  ).toBe(`Smile, Sad :(, x and (see b).
[Page](https://a.example/b_(c).md) Folder db`);
});

test('IMP-2: questions and answers of Gemini', async () => {
  const { program, items } = await readLater('Takeout/My Activity/Gemini Apps/My Activity.json', [
    {
      header: 'Gemini Apps',
      title: 'Prompted How hot should tea be?',
      time: '2024-03-01T10:00:00.000Z',
      products: ['Gemini Apps'],
      safeHtmlItem: [{ html: '<p>About <b>80 °C</b>.</p>' }],
    },
    { header: 'Gemini Apps', title: 'Gave feedback', time: '2024-03-01T10:00:00.000Z' },
    { header: 'Maps', title: 'Searched', time: '2024-03-01T10:00:00.000Z' },
  ]);
  expect(program).toBe('Gemini');
  expect(items).toMatchObject([
    {
      capture: {
        sourceApp: 'gemini',
        messages: [
          { role: 'user', text: 'How hot should tea be?' },
          { role: 'assistant', text: 'About **80 °C**.' },
        ],
        capturedAt: '2024-03-01T10:00:00.000Z',
      },
    },
    { skipped: 'Gave feedback', reason: 'Not a question with an answer.' },
  ]);
});

test('IMP-4: notes in Markdown of an archive are read as files are', () => {
  const { program, items } = read('vault/Tea.md', '\uFEFF---\ntags: [drink]\n---\n# Green tea\n\n#tea');
  expect(program).toContain('Obsidian');
  expect(capturesOf(items)).toMatchObject([
    { fileName: 'vault/Tea.md', pageText: '---\ntags: [drink]\n---\n# Green tea\n\n#tea', tags: ['tea'] },
  ]);
});
