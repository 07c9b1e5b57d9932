import { DocumentError, documentKind, readDocumentFile } from '@recollect/importers/read-document-file';
import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';

type Files = Record<string, string>;

const zipped = (files: Files) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, [strToU8(text), { level: 0 }]])));

const CONTAINER =
  '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>';
const OPF = `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">
<metadata><dc:title>The Weir
 Keeper</dc:title><dc:creator>Ann Weir</dc:creator><dc:creator>Bo Lock</dc:creator><dc:language>en</dc:language>
<dc:identifier>urn:isbn:978-3-16-148410-0</dc:identifier><dc:publisher>Sluice</dc:publisher></metadata>
<manifest><item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="b" href="two%20b.xhtml" media-type="application/xhtml+xml"/><item id="a" href="one.xhtml" media-type="application/xhtml+xml"/>
<item id="c" href="cover.xhtml" media-type="application/xhtml+xml"/><item id="p" href="weir.png" media-type="image/png"/></manifest>
<spine><itemref idref="c" linear="no"/><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/></spine></package>`;
const page = (body: string) =>
  `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><style>p{color:red}</style></head><body>${body}</body></html>`;
const BOOK: Files = {
  mimetype: 'application/epub+zip',
  'META-INF/container.xml': CONTAINER,
  'OEBPS/book.opf': OPF,
  'OEBPS/nav.xhtml': page('<nav><ol><li><a href="one.xhtml">Table of contents</a></li></ol></nav>'),
  'OEBPS/one.xhtml': page('<h1>The gate</h1><p>The keeper opens the <em>gate</em>.<a href="#n1">1</a></p>'),
  'OEBPS/two b.xhtml': page('<h2>The water</h2><p>It rises &amp; falls.</p>'),
  'OEBPS/cover.xhtml': page('<img src="weir.png"/>'),
};

test('CAP-18: a book is its chapters in the order of reading, with its title, authors and number', async () => {
  const book = await readDocumentFile(zipped(BOOK), 'weir.epub');
  expect(book).toEqual({
    title: 'The Weir Keeper',
    pageText: '# The gate\n\nThe keeper opens the *gate*.1\n\n## The water\n\nIt rises & falls.',
    captureMode: 'page',
    metadata: { author: 'Ann Weir, Bo Lock', publisher: 'Sluice', language: 'en', isbn: '9783161484100' },
  });
  // Detected by its content, not by its name.
  expect(documentKind('weir.zip', zipped(BOOK))).toBe('epub');
});

test('CAP-18: fonts of a book may be encrypted, and a protected book says so', async () => {
  const encryption = (name: string) =>
    `<encryption><enc:EncryptedData xmlns:enc="x"><enc:CipherData><enc:CipherReference URI="${name}"/></enc:CipherData></enc:EncryptedData></encryption>`;
  const withEncrypted = (name: string) => zipped({ ...BOOK, 'META-INF/encryption.xml': encryption(name) });
  await expect(readDocumentFile(withEncrypted('OEBPS/serif.otf'), 'a.epub')).resolves.toMatchObject({ title: /Weir/ });
  await expect(readDocumentFile(withEncrypted('OEBPS/two%20b.xhtml'), 'a.epub')).rejects.toThrow('(DRM)');
});

const paragraph = (text: string, style = '') =>
  `<w:p>${style === '' ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`;
const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
const WORD: Files = {
  '[Content_Types].xml':
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
  '_rels/.rels':
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
  'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${paragraph('Sluice report', 'Heading1')}${paragraph('The lock was shut at noon.')}<w:tbl><w:tr>${cell('Gate')}${cell('Metres')}</w:tr><w:tr>${cell('North')}${cell('3')}</w:tr></w:tbl></w:body></w:document>`,
  'word/styles.xml':
    '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>',
  'docProps/core.xml':
    '<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>Report on sluices</dc:title><dc:creator>Ann</dc:creator><dcterms:modified>2024-03-01T10:00:00Z</dcterms:modified></cp:coreProperties>',
};

test('CAP-18: a document of Word has its headings and tables, its title, author and date', async () => {
  const capture = await readDocumentFile(zipped(WORD), 'report.docx');
  expect(capture).toMatchObject({
    title: 'Report on sluices',
    capturedAt: '2024-03-01T10:00:00.000Z',
    metadata: { author: 'Ann' },
  });
  expect(capture?.pageText).toMatch(/^# Sluice report\n\nThe lock was shut at noon\.\n\n/);
  expect(capture?.pageText).toMatch(/\| North \| 3 \|/);
});

const OPEN: Files = {
  mimetype: 'application/vnd.oasis.opendocument.text',
  'META-INF/manifest.xml': '<manifest:manifest xmlns:manifest="m"/>',
  'meta.xml':
    '<office:document-meta xmlns:office="o" xmlns:dc="d"><office:meta><dc:title>Locks</dc:title><dc:creator>Bo</dc:creator><dc:date>2024-03-02T08:00:00.123456789</dc:date></office:meta></office:document-meta>',
  'content.xml': `<office:document-content xmlns:office="o" xmlns:text="t" xmlns:style="s" xmlns:fo="f" xmlns:xlink="x" xmlns:table="tb">
<office:automatic-styles><style:style style:name="T1"><style:text-properties fo:font-weight="bold"/></style:style></office:automatic-styles>
<office:body><office:text><text:tracked-changes><text:p>Deleted words</text:p></text:tracked-changes>
<text:h text:outline-level="2">Gates &amp; locks</text:h><text:p>A <text:span text:style-name="T1">strong</text:span>
gate<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>of oak</text:p></text:note-body></text:note>,
see <text:a xlink:href="https://lock.example/">here</text:a>.</text:p>
<text:list><text:list-item><text:p>one</text:p></text:list-item><text:list-item><text:p>two</text:p></text:list-item></text:list>
</office:text></office:body></office:document-content>`,
};

test('CAP-18: an OpenDocument text has its headings, lists, links and notes, and no deleted words', async () => {
  const capture = await readDocumentFile(zipped(OPEN), 'locks.odt');
  expect(capture).toMatchObject({ title: 'Locks', metadata: { author: 'Bo' } });
  expect(capture?.pageText).toMatch(/^## Gates & locks\n\nA \*\*strong\*\* gate \(.*of oak.*\)/s);
  expect(capture?.pageText).toContain('[here](https://lock.example/)');
  expect(capture?.pageText).toMatch(/[-*] +one\n+[-*] +two/);
  expect(capture?.pageText).not.toContain('Deleted');
  const encrypted = { ...OPEN, 'META-INF/manifest.xml': '<m:manifest xmlns:m="m"><m:encryption-data/></m:manifest>' };
  await expect(readDocumentFile(zipped(encrypted), 'locks.odt')).rejects.toThrow('protected by a password');
});

test('CAP-18: a document that is empty, cut off, of another kind or deeply nested is a sentence', async () => {
  const failure = async (bytes: Uint8Array, name: string) => {
    const error = await readDocumentFile(bytes, name).catch((reason) => reason);
    expect(error, name).toBeInstanceOf(DocumentError);
    return (error as Error).message;
  };
  for (const kind of ['epub', 'docx', 'odt', 'pdf', 'eml'])
    expect(await failure(new Uint8Array(), `a.${kind}`)).toBe('It is empty.');
  const book = zipped(BOOK);
  expect(await failure(book.subarray(0, 600), 'a.epub')).toMatch(/damaged or incomplete/);
  expect(await failure(strToU8('Just a text.'), 'a.docx')).toMatch(/damaged or incomplete/);
  expect(await failure(zipped(WORD), 'a.epub')).toMatch(/no EPUB/);
  await expect(readDocumentFile(book, 'a.docx')).resolves.toMatchObject({ title: 'The Weir Keeper' });
  const old = Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0]);
  expect(await failure(old, 'a.doc')).toMatch(/password, or in the format before 2007/);
  const deep = page(`${'<div>'.repeat(6_000)}x`);
  expect(await failure(zipped({ ...BOOK, 'OEBPS/one.xhtml': deep }), 'a.epub')).toBe('It is nested too deep.');
});
