import { siteOf } from '@recollect/contract/query-syntax';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { embeddingInput } from '../src/chunking/embedding-input.js';
import { estimateTokens } from '../src/chunking/estimate-tokens.js';
import { chooseContent } from '../src/drafts/content.js';
import { deriveTitle, resolveSource } from '../src/drafts/normalise-capture.js';
import { readFile } from '../src/drafts/read-file.js';
import { indexingStatus } from '../src/indexing/indexing-status.js';
import { decodeCursor, encodeCursor } from '../src/memories/cursor.js';
import { withAnnotation } from '../src/plugins/answer-plugin.js';
import { retryDelay } from '../src/runners/retry-delay.js';
import { createId } from '../src/text/create-id.js';
import { urlKey } from '../src/text/url-key.js';

describe('a value that an export could not restore', () => {
  const unstorable = JSON.parse('{"__proto__":1}');

  test('CAP-14: front matter that metadata cannot keep stays in the text', async () => {
    const text = '---\ntitle: Tea\n---\nSteep it.';
    expect(await readFile(text, 'tea.md', async () => ({ title: 'Tea' }))).toMatchObject({ text: 'Steep it.' });
    expect(await readFile(text, 'tea.md', async () => unstorable)).toMatchObject({ text, frontMatter: null });
  });

  test('EXP-4: a plugin cannot annotate a memory with it', () => {
    expect(withAnnotation({}, 'diary', { seen: true })).toEqual({ metadata: { plugins: { diary: { seen: true } } } });
    expect(() => withAnnotation({}, 'diary', unstorable)).toThrow('The annotation contains the key __proto__.');
  });
});

describe('chooseContent', () => {
  const all = { selection: 'sel', pageText: 'page', messages: [{ role: 'user', text: 'hi' }], html: '<p>x' };

  test('CAP-2: smart uses selection, messages, pageText, html or pdf, in that order', () => {
    expect(chooseContent(all)).toEqual({ mode: 'selection', text: 'sel' });
    expect(chooseContent({ ...all, selection: ' \n' })).toEqual({ mode: 'conversation', turns: ['user: hi'] });
    expect(chooseContent({ ...all, selection: null, messages: [] })).toEqual({ mode: 'page', text: 'page' });
    expect(chooseContent({ html: '<p>x' })).toEqual({ mode: 'page', html: '<p>x', extract: 'article' });
    expect(chooseContent({ html: '<p>x', pdf: 'JVBERi0' })).toMatchObject({ html: '<p>x' });
    expect(chooseContent({ html: ' ', pdf: 'JVBERi0' })).toEqual({ mode: 'page', pdf: 'JVBERi0' });
    expect(chooseContent({ title: 'only a title', selection: '' })).toBeNull();
  });

  test('CAP-2: an explicit mode uses its own text, and falls back when that is blank', () => {
    expect(chooseContent({ ...all, captureMode: 'page' })).toEqual({ mode: 'page', text: 'page' });
    expect(chooseContent({ ...all, captureMode: 'conversation' })).toEqual({
      mode: 'conversation',
      turns: ['user: hi'],
    });
    expect(chooseContent({ selection: 'sel', captureMode: 'page', pageText: '' })).toEqual({
      mode: 'selection',
      text: 'sel',
    });
  });

  test('CAP-11: removes NUL and nothing else', () => {
    expect(chooseContent({ selection: ' a\u0000b\u202e\n' })).toEqual({ mode: 'selection', text: ' ab\u202e\n' });
  });
});

describe('resolveSource', () => {
  test('CAP-4: the source type is the name of the chat surface, url for other pages, file or note without a URL', () => {
    expect(resolveSource('ChatGPT', null)).toEqual({ sourceApp: 'chatgpt', sourceType: 'chatgpt' });
    expect(resolveSource(null, 'https://claude.ai/chat/1')).toEqual({ sourceApp: 'claude', sourceType: 'claude' });
    expect(resolveSource(null, 'https://claude.ai.evil.example/')).toEqual({ sourceApp: 'web', sourceType: 'url' });
    expect(resolveSource('web', 'https://chatgpt.com/')).toEqual({ sourceApp: 'web', sourceType: 'url' });
    expect(resolveSource('reader', 'https://a.example/')).toEqual({ sourceApp: 'reader', sourceType: 'url' });
    expect(resolveSource(null, null)).toEqual({ sourceApp: 'web', sourceType: 'note' });
    expect(resolveSource(null, null, 'tea.md')).toEqual({ sourceApp: 'web', sourceType: 'file' });
    expect(resolveSource('claude', null, 'tea.md').sourceType).toBe('claude');
  });
});

describe('urlKey', () => {
  test('CAP-12: ignores fragments and tracking parameters and nothing else', () => {
    expect(urlKey('https://A.example/x?utm_source=n&b=2&fbclid=1#part')).toBe('https://a.example/x?b=2');
    expect(urlKey('https://a.example/x?b=2&a=1')).not.toBe(urlKey('https://a.example/x?a=1&b=2'));
    expect(urlKey('https://a.example/?q=a%20b&utm_source=x')).toBe(urlKey('https://a.example/?q=a%20b'));
    expect(urlKey('https://a.example/?p&gclid=1')).toBe(urlKey('https://a.example/?p'));
    expect(urlKey('https://a.example/?utm_source=x')).toBe(urlKey('https://a.example/'));
    expect(urlKey('not a url')).toBeNull();
    expect(siteOf('https://www.docs.example:8443/')).toBe('docs.example');
  });

  test('CAP-12: applying it twice changes nothing', () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (url) => {
        const key = urlKey(url);
        expect(key === null ? null : urlKey(key)).toBe(key);
      }),
    );
  });
});

describe('resolveSource', () => {
  test('CAP-4: treats a host named like a property of every object as an ordinary page', () => {
    for (const host of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      expect(resolveSource(null, `http://${host}/`)).toEqual({ sourceApp: 'web', sourceType: 'url' });
    }
    fc.assert(
      fc.property(fc.webUrl(), (url) => {
        expect(typeof resolveSource(null, url).sourceApp).toBe('string');
      }),
    );
  });
});

describe('createId', () => {
  test('ids are UUIDv7 and sort by time, then by sequence, then in the order in which they were made', () => {
    const instants = fc.date({ min: new Date(0), max: new Date('2500-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(instants, instants, fc.nat(4095), fc.nat(4095), (a, b, first, second) => {
        const [left, right] = [createId(a, first), createId(b, second)];
        expect(left).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        const order = a.getTime() - b.getTime() || first - second;
        expect(left < right).toBe(order <= 0);
      }),
    );
  });
});

describe('cursor', () => {
  test('MEM-1: decodes a cursor to the position it was made from and rejects other text', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), noInvalidDate: true }), (at) => {
        const place = { capturedAt: at.toISOString(), id: createId(at) };
        expect(decodeCursor(encodeCursor(place))).toEqual(place);
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => decodeCursor(text)).toThrow('nextCursor');
      }),
    );
  });
});

describe('deriveTitle', () => {
  test('uses the first words, else the site', () => {
    expect(deriveTitle('\n\n## Plan for *May*\nmore', null)).toBe('Plan for May');
    expect(deriveTitle('The **bold** `code` of __init__', null)).toBe('The bold code of __init__');
    expect(deriveTitle('# \n ', 'a.example')).toBe('a.example');
    const long = deriveTitle('word '.repeat(50), null);
    expect(long.length).toBeLessThanOrEqual(81);
    expect(long.endsWith('word…')).toBe(true);
  });
});

describe('embeddingInput', () => {
  test('joins the title, the end of the previous chunk, and the chunk', () => {
    const input = embeddingInput(
      { title: 'Title', previous: `${'far '.repeat(100)}near end. `, text: 'The chunk.' },
      estimateTokens,
    );
    expect(input).toMatch(/^Title\n(?:far )+near end\. The chunk\.$/);
    expect(input.length).toBeLessThan(200);
    expect(embeddingInput({ title: 'Same start', previous: null, text: 'Same start of text' }, estimateTokens)).toBe(
      'Same start of text',
    );
  });
});

describe('indexing rules', () => {
  test('IDX-2: derives the status after a batch', () => {
    expect(indexingStatus({ kind: 'done' }, 3).status).toBe('pending');
    expect(indexingStatus({ kind: 'done' }, 0).status).toBe('completed');
    expect(indexingStatus({ kind: 'no-model' }, 3).status).toBe('blocked');
    expect(indexingStatus({ kind: 'failed', reason: 'Why.', isRetryable: true }, 3)).toEqual({
      status: 'failed',
      message: expect.stringMatching(/^Why\. .*retried/),
    });
  });

  test('CAP-10: the delay between attempts grows to one hour, and there is none after the eighth', () => {
    expect(retryDelay(1, 0)).toBe(15_000);
    expect(retryDelay(3, 0)).toBe(60_000);
    expect(retryDelay(8)).toBeNull();
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), fc.double({ min: 0, max: 1, noNaN: true }), (failures, jitter) => {
        const delay = retryDelay(failures, jitter) ?? 0;
        expect(delay).toBeGreaterThanOrEqual(12_000);
        expect(delay).toBeLessThanOrEqual(3_600_000);
      }),
    );
  });
});
