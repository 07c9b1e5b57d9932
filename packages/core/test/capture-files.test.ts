import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isOtherFile } from '../src/drafts/duplicates.js';
import { readSavedPage } from '../src/drafts/normalise-capture.js';
import { fileDate, headingOf, limitYaml, readFile } from '../src/drafts/read-file.js';

test.each([
  ['2015-11-17 16:16:01 -0600', '2015-11-17T22:16:01.000Z'],
  ['2020-01-05T10:00:00+0100', '2020-01-05T09:00:00.000Z'],
  ['2020-01-05T10:00:00+01', '2020-01-05T09:00:00.000Z'],
  ['2020-01-05 10:00:00Z', '2020-01-05T10:00:00.000Z'],
  ['2020-01-05 10:00:00 UTC', '2020-01-05T10:00:00.000Z'],
  ['2024-01-05 10:00', '2024-01-05T10:00:00.000Z'],
  ['2024-01-05 1:05 PM', '2024-01-05T13:05:00.000Z'],
  ['2024-01-05 12:05 am', '2024-01-05T00:05:00.000Z'],
  ['20240105', '2024-01-05T12:00:00.000Z'],
  ['2024-1-5', '2024-01-05T12:00:00.000Z'],
  ['[[2024-02-03]]', '2024-02-03T12:00:00.000Z'],
  ['January 5, 2020', '2020-01-05T12:00:00.000Z'],
  ['5 January 2020', '2020-01-05T12:00:00.000Z'],
  ['Monday, April 22nd 2019, 6:51:17 pm', '2019-04-22T18:51:17.000Z'],
  ['Sun, 05 Jan 2020 10:00:00 +0100', '2020-01-05T09:00:00.000Z'],
  ['April 22 2019 10:00 PST', '2019-04-22T18:00:00.000Z'],
  ['15 March 2019 at 10:00', '2019-03-15T10:00:00.000Z'],
  ['31.12.2026', '2026-12-31T12:00:00.000Z'],
  ['2024-02-30', null],
  ['2024-02-30 10:00', null],
  ['99999999', null],
  ['1/2/2026', null],
  ['Chapter 7', null],
  ['soon', null],
])('CAP-14: the date of a file: %s', (text, instant) => {
  expect(fileDate(text)).toBe(instant);
});

test('CAP-14: a date without a zone is one on the clock of this machine, on the same day there and in UTC', () => {
  const before = process.env.TZ;
  try {
    for (const [zone, day, time] of [
      ['America/Los_Angeles', '2024-05-06T19:00:00.000Z', '2024-05-07T05:30:00.000Z'],
      ['Asia/Tokyo', '2024-05-06T03:00:00.000Z', '2024-05-06T13:30:00.000Z'],
    ] as const) {
      process.env.TZ = zone;
      for (const text of ['2024-05-06', '20240506', '6.5.2024', 'May 6, 2024'])
        expect([text, fileDate(text)]).toEqual([text, day]);
      for (const text of ['2024-05-06 22:30', '2024-05-06T22:30:00', '6 May 2024 22:30'])
        expect([text, fileDate(text)]).toEqual([text, time]);
      expect(fileDate('2024-05-06 22:30 +0000')).toBe('2024-05-06T22:30:00.000Z');
    }
  } finally {
    process.env.TZ = before;
  }
});

test('CAP-14: every instant is read again from the ways in which it is written', () => {
  const date = fc.date({ min: new Date('0100-01-01'), max: new Date('9999-12-30'), noInvalidDate: true });
  fc.assert(
    fc.property(date, (at) => {
      const iso = `${at.toISOString().slice(0, 19)}.000Z`;
      for (const text of [iso, iso.slice(0, 19), iso.slice(0, 19).replace('T', ' '), `${iso.slice(0, 19)}+0000`])
        expect(fileDate(text)).toBe(iso);
    }),
  );
});

test.each([
  ['Intro\n\n# The *title* of `this`\n', 'The title of this'],
  ['<h1 align="center">Foo</h1>\n\nText.\n\n## Installation', 'Foo'],
  ['Text first.\n\n### Action items\n', null],
  ['\n## To do\n\n- [ ] Steep it.\n\n## Done\n', null],
  ['Monday\n------\n\nText.', null],
  ['# css-select [![NPM version](http://img.example/a.svg)](https://npm.example)', 'css-select'],
  ['# has-symbols <sup>[![v][1]][2]</sup>\n', 'has-symbols'],
  ['# ![logo](a.png)\n\nText.', null],
  ['```\n# a comment\n```\nText', null],
  ['Text.\n\nTea\r\n===\r\n\nText.\n\nWater\n===\n', 'Tea'],
  ['# Tea\r\n\r\nText.', 'Tea'],
  ['# snake_case and _emphasis_', 'snake_case and emphasis'],
])('CAP-14: the title of %j', (text, title) => {
  expect(headingOf(text)).toBe(title);
});

test('CAP-14: the first date that can be read counts, an address may be a link, and properties alone are a text', async () => {
  const fields = {
    date: 'soon',
    created: '2021-01-01',
    source: ['Kindle', '[t](https://a.example/1)'],
    tags: ['#tea', 'x'],
  };
  const yaml = 'date: soon\ncreated: 2021-01-01';
  expect(await readFile(`---\n${yaml}\n---\n`, 'notes/Tea.md', async () => fields)).toEqual({
    text: yaml,
    title: 'Tea',
    ownTitle: false,
    tags: ['tea', 'x'],
    url: 'https://a.example/1',
    dates: ['2021-01-01T12:00:00.000Z'],
    frontMatter: fields,
  });
  expect(await readFile('---\n---\nText.', 'Tea.md', async () => null)).toMatchObject({ text: 'Text.', title: 'Tea' });
  const large = async () => ({ title: 'é'.repeat(20_000) });
  expect(await readFile('---\ntitle: é\n---\nText.', 'Tea.md', large)).toMatchObject({
    frontMatter: null,
    ownTitle: false,
  });
});

test('CAP-14: a saved page says where it is from', () => {
  const url = 'https://blog.example.org/otters?a=1';
  const single = `<!DOCTYPE html> <html><!--\n Page saved with SingleFile \n url: ${url} \n saved date: Sat Mar 02 2024 10:00:00 GMT+0100 (CET)\n-->`;
  expect(readSavedPage(single)).toEqual({ url, date: '2024-03-02T09:00:00.000Z' });
  expect(readSavedPage(`<!-- saved from url=(0035)${url} -->\n<html>`)).toEqual({ url, date: null });
  expect(readSavedPage('<!-- saved from url=(0014)about:internet -->')).toEqual({ url: null, date: null });
  expect(readSavedPage(`<p>Page saved with SingleFile url: ${url}`)).toEqual({ url: null, date: null });
});

test('CAP-14: tags in a text are split at commas and before number signs', async () => {
  const readYaml = async (yaml: string) => ({ tags: yaml });
  const tagsOf = async (tags: string) => (await readFile(`---\n${tags}\n---\nText`, 'a.md', readYaml)).tags;
  expect(await tagsOf('#a  #b c, d,#e')).toEqual(['a', 'b c', 'd', 'e']);
});

test('SEC-11: front matter beyond the budget of a request stays text', async () => {
  const readYaml = limitYaml(async (yaml) => ({ title: yaml.slice(0, 5) }));
  const file = `---\nTitle${' '.repeat(15_000)}\n---\nText`;
  const titles = [];
  for (let at = 0; at < 6; at++) titles.push((await readFile(file, `${at}.md`, readYaml)).title);
  expect(titles).toEqual(['Title', 'Title', 'Title', 'Title', '4', '5']);
  expect(await readFile(file, '7.md', readYaml)).toMatchObject({ text: file, frontMatter: null });
});

test('CAP-14: another file is one with another name and other front matter', () => {
  const file = (fileName: string, author?: string) => ({ fileName, ...(author && { frontMatter: { author } }) });
  expect(isOtherFile(file('Dune.md', 'Herbert'), file('Emma.md', 'Austen'))).toBe(true);
  expect(isOtherFile(file('Dune.md', 'Herbert'), file('books/Dune.md', 'F. Herbert'))).toBe(false);
  expect(isOtherFile(file('a/index.md', 'Herbert'), file('b/index.md', 'Austen'))).toBe(true);
  expect(isOtherFile(file('Dune.md', 'Herbert'), file('Copy.md', 'Herbert'))).toBe(false);
  expect(isOtherFile({}, file('Emma.md', 'Austen'))).toBe(false);
});
