import { siteOf } from '@recollect/contract/query-syntax';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFilter } from '../src/retrieval/parse-query.js';

describe('readFilter', () => {
  test('QRY-8: accepts a site as a host in any script, with a port, or as a URL', () => {
    for (const [given, site] of [
      ['example.org', 'example.org'],
      ['example.org:8443', 'example.org'],
      ['WWW.Example.org', 'example.org'],
      ['https://example.org/path?q#top', 'example.org'],
      ['bücher.example', 'xn--bcher-kva.example'],
      ['[::1]:4545', '[::1]'],
      ['*.example.org', 'example.org'],
      ['.example.org', 'example.org'],
    ]) {
      expect(readFilter({ site: given })).toEqual({ site });
    }
  });

  test('QRY-8: the site filter of any URL matches the site of a memory saved from it', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        expect(readFilter({ site: url }).site).toBe(siteOf(url));
        expect(readFilter({ site: new URL(url).host }).site).toBe(siteOf(url));
      }),
    );
  });

  test('QRY-8: rejects an invalid site and a date that does not exist, and names the field', () => {
    expect(() => readFilter({ site: 'two words' })).toThrow(/^site must be a host/);
    for (const date of ['2026-02-30', '2025-02-29', '2026-13-01', '2026-04-31T10:00:00Z', 'someday', '1/2/2026']) {
      expect(() => readFilter({ since: date })).toThrow(
        /^since must be a date that exists and can be read in one way, such as 2026-01-31, 31\.1\.2026, yesterday/,
      );
      expect(() => readFilter({ until: date })).toThrow(/^until /);
    }
    expect(readFilter({ since: '2024-02-29', until: '2026-01' })).toEqual({
      since: '2024-02-29T00:00:00.000Z',
      until: '2026-01-01T00:00:00.000Z',
    });
  });

  test('ignores fields that are missing, null or blank', () => {
    expect(readFilter({ site: ' ', tag: '', since: null, until: undefined, sourceType: null })).toEqual({});
  });
});
