import { isDocument, readDocument } from '@recollect/importers/read-document';
import { expect, test } from 'vitest';

const read = (lines: readonly string[] | string, name: string) =>
  readDocument(new TextEncoder().encode(typeof lines === 'string' ? lines : lines.join('\r\n')), name);

test('CAP-18: a saved page is its own page, with its address and date', async () => {
  const page =
    '<html><head><title>Quay</title></head><body><p>The crane lifts nine tonnes =E2=80=94 caf=C3=A9</p></body></html>';
  const archive = [
    'From: <Saved by Blink>',
    'Snapshot-Content-Location: https://quay.example/crane?a=3Db#/route',
    'Subject: =?utf-8?Q?Quay?=',
    'Date: Tue, 3 Mar 2026 10:11:12 +0100',
    'MIME-Version: 1.0',
    'Content-Type: multipart/related; type="text/html"; boundary="--B"',
    '',
    '----B',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    'Content-Location: https://quay.example/crane',
    '',
    page,
    '----B',
    'Content-Type: text/html; charset=utf-8',
    'Content-Location: cid:frame-2',
    '',
    '<html><body><p>Words of an advertisement in a frame.</p></body></html>',
    '----B',
    'Content-Type: image/png',
    'Content-Transfer-Encoding: base64',
    'Content-Location: https://quay.example/crane.png',
    '',
    'iVBORw0KGgo=',
    '----B--',
  ];
  for (const name of ['quay.mhtml', 'quay.MHT']) {
    const capture = await read(archive, name);
    expect(capture).toMatchObject({
      url: 'https://quay.example/crane?a=3Db#/route',
      capturedAt: '2026-03-03T09:11:12.000Z',
      html: expect.stringContaining('The crane lifts nine tonnes — café'),
    });
    expect(capture?.html).not.toContain('advertisement');
  }
  const [, , ...unnamed] = archive;
  expect((await read(unnamed, 'quay.mht'))?.url).toBe('https://quay.example/crane');
});

test('CAP-18: a mail has its subject, sender, date and text', async () => {
  const mail = [
    'From: =?iso-8859-1?Q?J=F6rg?= <joerg@example.org>',
    'To: Ben <ben@example.org>, cay@example.org',
    'Subject: =?utf-8?B?R3LDvMOfZQ==?=  from the =?utf-8?q?K=C3=BCste?=',
    'Date: Tue, 3 Mar 2026 10:11:12 +0100',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain; charset=iso-8859-1',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'The boat is gr=FCn, and it is long enough to be wr=',
    'apped.',
    '--b',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<p>The boat is <b>grün</b>.</p>',
    '--b--',
  ];
  expect(await read(mail, 'boat.eml')).toEqual({
    title: 'Grüße  from the Küste',
    pageText: 'The boat is grün, and it is long enough to be wrapped.',
    captureMode: 'page',
    capturedAt: '2026-03-03T09:11:12.000Z',
    metadata: { author: 'Jörg', from: 'Jörg <joerg@example.org>', to: 'Ben <ben@example.org>, cay@example.org' },
  });
  const latin = new Uint8Array([
    ...new TextEncoder().encode('Subject: Tea\nContent-Type: text/plain; charset=iso-8859-1\n\ngr'),
    0xfc,
    0x6e,
  ]);
  expect(await readDocument(latin, 'tea.eml')).toMatchObject({ title: 'Tea', pageText: 'grün' });
  const html = await read(
    'Subject: Tea\nContent-Type: text/html\nDate: Fri, 1 Jan 2100 00:00:00 +0000\n\n<p>Steep it.</p>',
    'tea.eml',
  );
  expect(html).toMatchObject({ title: 'Tea', capturedAt: null });
  expect(html?.html ?? html?.pageText).toContain('Steep it.');
});

test('CAP-18: a notebook has its texts, its code and the output', async () => {
  const cells = [
    { cell_type: 'markdown', source: ['# Tides\n', '\n', 'The tide at the quay.'] },
    {
      cell_type: 'code',
      source: 'print(tide)',
      outputs: [
        { output_type: 'stream', text: ['4.2 metres\n'] },
        { output_type: 'display_data', data: { 'image/png': 'iVBORw0KGgo=', 'text/plain': '<Figure>' } },
        { output_type: 'error', ename: 'NameError' },
      ],
    },
    { cell_type: 'code', source: '', outputs: [] },
    { cell_type: 'markdown', source: 'A block: ````md' },
  ];
  const metadata = { language_info: { name: 'julia' } };
  const text =
    '# Tides\n\nThe tide at the quay.\n\n```julia\nprint(tide)\n```\n\n```text\n4.2 metres\n```\n\n```text\n<Figure>\n```\n\nA block: ````md';
  expect(await read(JSON.stringify({ nbformat: 4, metadata, cells }), 'tides.ipynb')).toEqual({
    title: 'Tides',
    pageText: text,
    captureMode: 'page',
  });
  const old = { worksheets: [{ cells: [{ cell_type: 'code', input: ['x = "```"'], outputs: [] }] }] };
  expect(await read(JSON.stringify(old), 'old.ipynb')).toMatchObject({
    title: null,
    pageText: '````python\nx = "```"\n````',
  });
});

test('CAP-18: a damaged file, or a file of another type by its name, is not read as a document', async () => {
  for (const [name, content] of [
    ['a.ipynb', '{"cells": ['],
    ['a.ipynb', '[]'],
    ['a.ipynb', 'null'],
    ['a.ipynb', '{"cells": []}'],
    ['a.eml', ''],
    ['a.mhtml', 'From: <Saved by Blink>\n\nno page'],
    ['a.txt', 'Subject: Tea\n\nSteep it.'],
  ] as const)
    expect([name, content, await read(content, name)]).toEqual([name, content, null]);
  expect(['a.eml', 'A.MHTML', 'a.ipynb', 'a.md', 'eml'].map(isDocument)).toEqual([true, true, true, false, false]);
});

test('SEC-11: mails are read in linear time', async () => {
  /** Milliseconds of processor time, since the machine may be busy with something else: the least of three. */
  const timeOf = async (content: string) => {
    const times: number[] = [];
    for (let at = 0; at < 3; at++) {
      const start = process.cpuUsage();
      await read(content, 'a.eml');
      const { user, system } = process.cpuUsage(start);
      times.push((user + system) / 1_000);
    }
    return Math.min(...times);
  };
  const mail = (body: string) => `Subject: a\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${body}`;
  for (const part of ['--b\r\n', '--b\r\nContent-Type: text/html\r\n\r\n<p>', '=?utf-8?q?', '=C3', '<', ' \r\n', '&']) {
    const [once, often] = [1, 4].map((times) => mail(part.repeat((times * 10_000) / part.length))) as [string, string];
    // Quadratic time is sixteen times as long.
    const [short, long] = [await timeOf(once), await timeOf(often)];
    expect([part, long < Math.max(200, 12 * short)]).toEqual([part, true]);
  }
});
