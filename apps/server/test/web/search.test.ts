import { createFakeReranker } from '@recollect/core/testing';
import { expect, test } from 'vitest';
import { describeApp, eventually, expectTitles, focused, rows } from './open-app.js';

const filler = (subject: string) =>
  Array.from({ length: 60 }, (_, index) => `Paragraph ${index} says more about ${subject}, at length.`).join('\n\n');

const reranker = createFakeReranker('oil');

describeApp(
  'search',
  (app) => {
    const field = () => app().page.getByRole('searchbox', { name: 'Search' });
    const chip = (label: string) => app().page.getByRole('button', { name: `Remove ${label}`, exact: true });

    test('lists results while typing, marks the words and says why each was found', async () => {
      const { page, server } = app();
      await app().save(
        {
          title: 'Lamps of Harrow Street',
          url: 'https://lamps.example/harrow',
          pageText: `${filler('streets')}\n\nThe lamplighter lit forty lamps each evening.\n\n${filler('houses')}`,
          tags: ['light'],
          capturedAt: '2026-02-03T10:00:00Z',
        },
        { title: 'Tea', pageText: 'Green tea is steeped.', tags: ['to read'], capturedAt: '2026-03-04T10:00:00Z' },
        {
          title: 'Oil',
          url: 'https://oil.example/',
          pageText: 'Paraffin for lamps.',
          tags: ['light', 'oil'],
          capturedAt: '2026-03-05T10:00:00Z',
        },
      );
      await app().open('/everything');
      await expectTitles(page, ['Oil', 'Tea', 'Lamps of Harrow Street']);
      await field().pressSequentially('lampl');
      await eventually(() => page.locator('a.row-title').first().textContent()).toBe('Lamps of Harrow Street');
      await field().pressSequentially('ighter');
      const row = rows(page).first();
      await eventually(() => row.locator('.row-excerpt mark').allTextContents()).toEqual(['lamplighter']);
      expect(await row.locator('.row-reason').count()).toBe(0);
      await eventually(() => page.title()).toBe('lamplighter – Recollect');
      expect(page.url()).toBe(`${server.address}/?q=lamplighter`);
      await page.getByText(/^\d results?$/).waitFor();
    });

    test('opens a result at the passage that matched, and Back returns to the results', async () => {
      const { page } = app();
      await rows(page).first().getByRole('link').first().click();
      await page.getByRole('heading', { level: 1, name: 'Lamps of Harrow Street' }).waitFor();
      const passage = page.locator('.passage');
      await eventually(() => passage.textContent()).toBe('The lamplighter lit forty lamps each evening.');
      await eventually(() =>
        passage.evaluate((element) => {
          const { top, bottom } = element.getBoundingClientRect();
          return top > 60 && bottom < innerHeight;
        }),
      ).toBe(true);
      expect(await page.evaluate(() => CSS.highlights.get('search-words')?.size)).toBe(1);
      expect(await field().inputValue()).toBe('lamplighter');
      await page.goBack();
      await eventually(() => page.locator('a.row-title').first().textContent()).toBe('Lamps of Harrow Street');
      expect(await field().inputValue()).toBe('lamplighter');
    });

    test('QRY-14, QRY-15: says what was searched for instead of the words, which can be taken back', async () => {
      const { page } = app();
      await app().open(`/?q=${encodeURIComponent('lamplihgter lit forty lamps in february 2026')}`);
      await expectTitles(page, ['Lamps of Harrow Street']);
      const lines = page.locator('p.head-chip');
      const texts = () => lines.allTextContents();
      await eventually(texts).toEqual([
        'Showing results for lamplighter. Search for lamplihgter instead',
        expect.stringMatching(/^Saved February 1 – 28, 2026\. Search any time$/),
      ]);
      await eventually(() => rows(page).first().locator('.row-excerpt mark').allTextContents()).toContain(
        'lamplighter',
      );
      await page.getByRole('button', { name: 'Search any time' }).click();
      await eventually(() => field().inputValue()).toBe('lamplighter lit forty lamps in february 2026');
      await eventually(texts).toEqual([]);
      await app().open(`/?q=${encodeURIComponent('lamplihgter steeped')}`);
      await eventually(texts).toEqual(['Did you mean lamplighter steeped?']);
      await page.getByRole('link', { name: 'lamplighter steeped' }).click();
      await eventually(() => field().inputValue()).toBe('lamplighter steeped');
      await eventually(texts).toEqual([]);
      await app().open(`/?q=lamplihgter`);
      await page.getByRole('button', { name: 'Search for lamplihgter' }).click();
      await eventually(texts).toEqual([]);
      await eventually(() => rows(page).first().locator('.row-excerpt mark').count()).toBe(0);
    });

    test('a link to the page that is open leaves the search', async () => {
      const { page, server } = app();
      await page.getByRole('link', { name: 'Everything' }).click();
      await expectTitles(page, ['Oil', 'Tea', 'Lamps of Harrow Street']);
      expect([await field().inputValue(), page.url()]).toEqual(['', `${server.address}/everything`]);
      await page.getByRole('link', { name: 'light', exact: true }).first().click();
      await expectTitles(page, ['Oil', 'Lamps of Harrow Street']);
      await page.goBack();
      await expectTitles(page, ['Oil', 'Tea', 'Lamps of Harrow Street']);
    });

    test('makes chips of operators, which the address keeps', async () => {
      const { page, server } = app();
      await field().fill('');
      await field().pressSequentially('tag:"to read" ');
      await chip('tag:"to read"').waitFor();
      expect((await field().inputValue()).trim()).toBe('');
      await expectTitles(page, ['Tea']);
      await field().pressSequentially('steeped');
      await eventually(() => page.url()).toBe(`${server.address}/?q=${encodeURIComponent('tag:"to read" steeped')}`);
      await page.reload();
      await expectTitles(page, ['Tea']);
      expect(await field().inputValue()).toBe('steeped');
      await chip('tag:"to read"').click();
      expect(await focused(page)).toBe('input Search');
      await eventually(() => page.url()).toBe(`${server.address}/?q=steeped`);
    });

    test('every operator narrows the list from the address', { tags: 'long' }, async () => {
      const { page } = app();
      const found = {
        'site:lamps.example': ['Lamps of Harrow Street'],
        'site:https://LAMPS.example/any': ['Lamps of Harrow Street'],
        'source:note': ['Tea'],
        'SOURCE:Note': ['Tea'],
        'tag:light': ['Oil', 'Lamps of Harrow Street'],
        'after:2026-03': ['Oil', 'Tea'],
        'before:2026-03-05': ['Tea', 'Lamps of Harrow Street'],
        'after:2026-02 before:2026-03': ['Lamps of Harrow Street'],
        'by:http': ['Oil', 'Tea', 'Lamps of Harrow Street'],
        'tag:light site:oil.example': ['Oil'],
      };
      for (const [query, titles] of Object.entries(found)) {
        await app().open(`/?q=${encodeURIComponent(query)}`);
        await expectTitles(page, titles);
        await eventually(() => page.locator('.search-box .chip').allTextContents()).toEqual(
          query.replace('SOURCE', 'source').split(' '),
        );
      }
    });

    test('completes operators by keys', async () => {
      const { page } = app();
      await app().open('/everything');
      await expectTitles(page, ['Oil', 'Tea', 'Lamps of Harrow Street']);
      const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
      await field().pressSequentially('ta');
      await eventually(() => options.allTextContents()).toEqual(['tag:']);
      await page.keyboard.press('ArrowDown');
      await eventually(() => field().getAttribute('aria-activedescendant')).toBe('suggestion-0');
      await page.keyboard.press('Tab');
      await eventually(() => options.allTextContents()).toEqual(['tag:light2', 'tag:oil1', 'tag:"to read"1']);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await eventually(() => page.locator('[role="option"][aria-selected="true"]').textContent()).toBe('tag:oil1');
      await page.keyboard.press('Enter');
      await chip('tag:oil').waitFor();
      await expectTitles(page, ['Oil']);
      expect(await focused(page)).toBe('input Search');
    });

    test('ignores keys while an input method composes text', async () => {
      const { page } = app();
      await page.keyboard.type('paraffin');
      const isLeft = (key: string) =>
        field().evaluate(
          (input, name) =>
            input.dispatchEvent(
              new KeyboardEvent('keydown', { key: name, isComposing: true, bubbles: true, cancelable: true }),
            ),
          key,
        );
      for (const key of ['ArrowDown', 'Enter', 'Escape', 'Tab']) expect([key, await isLeft(key)]).toEqual([key, true]);
      expect(await field().inputValue()).toBe('paraffin');
      expect(await focused(page)).toMatch(/^input/);
      await field().fill('');
    });

    test('Backspace at the beginning removes the last chip; Escape leaves the field, and clears the search then', async () => {
      const { page } = app();
      await page.keyboard.type('site:oil.example paraffin');
      await chip('site:oil.example').waitFor();
      await page.keyboard.press('Home');
      await page.keyboard.press('Backspace');
      await eventually(() => chip('site:oil.example').count()).toBe(0);
      await eventually(() => chip('tag:oil').count()).toBe(1);
      expect(await field().inputValue()).toBe('paraffin');
      await page.keyboard.press('Escape');
      expect(await focused(page)).toMatch(/^body/);
      expect(await field().inputValue()).toBe('paraffin');
      await page.keyboard.press('Escape');
      await eventually(() => field().inputValue()).toBe('');
      await eventually(() => chip('tag:oil').count()).toBe(0);
      await expectTitles(page, ['Oil', 'Tea', 'Lamps of Harrow Street']);
      await field().fill('tag:oil lamps');
      await expectTitles(page, ['Oil']);
      await page.getByRole('button', { name: 'Clear the search' }).click();
      await expectTitles(page, ['Oil', 'Tea', 'Lamps of Harrow Street']);
      expect(await focused(page)).toBe('input Search');
    });

    test('the results of a search that was cleared before they came do not stay', async () => {
      const { page } = app();
      const cleared = Promise.withResolvers<void>();
      await page.route('**/capture/query', async (route) => {
        await cleared.promise;
        await route.continue();
      });
      const asked = page.waitForRequest('**/capture/query');
      await field().fill('lamps');
      await asked;
      await page.getByRole('button', { name: 'Clear the search' }).click();
      await eventually(() => page.url()).not.toContain('lamps');
      const listed = page.waitForResponse(/\/memories\?/);
      cleared.resolve();
      await listed;
      await page.unroute('**/capture/query');
      await expectTitles(page, ['Oil', 'Tea', 'Lamps of Harrow Street']);
    });

    test('counts narrow the list, and widen it again', async () => {
      const { page } = app();
      const counts = page.getByRole('complementary', { name: 'Counts' });
      const count = (name: string) => counts.getByRole('button', { name, exact: true });
      await count('light 2').click();
      await expectTitles(page, ['Oil', 'Lamps of Harrow Street']);
      await eventually(() => count('light 2').getAttribute('aria-pressed')).toBe('true');
      await count('lamps.example 1').click();
      await expectTitles(page, ['Lamps of Harrow Street']);
      await count('lamps.example 1').click();
      await expectTitles(page, ['Oil', 'Lamps of Harrow Street']);
      await count('light 2').click();
      await count('March 2026 2').click();
      await expectTitles(page, ['Oil', 'Tea']);
      await eventually(() => count('Note 1').count()).toBe(1);
      await count('Note 1').focus();
      await page.keyboard.press('Enter');
      await expectTitles(page, ['Tea']);
    });

    test('several counts can be chosen: one of the sites, but all of the tags; also of a search by words', async () => {
      const { page } = app();
      const counts = page.getByRole('complementary', { name: 'Counts' });
      const count = (name: string) => counts.getByRole('button', { name, exact: true });
      for (const words of ['', 'lamps']) {
        await app().open(words === '' ? '/everything' : `/?q=${words}`);
        await eventually(async () => (await page.locator('a.row-title').allTextContents()).sort()).toContain('Oil');
        await count('lamps.example 1').click();
        await expectTitles(page, ['Lamps of Harrow Street']);
        await count('oil.example 1').click();
        await eventually(async () => (await page.locator('a.row-title').allTextContents()).sort()).toEqual([
          'Lamps of Harrow Street',
          'Oil',
        ]);
        await chip('site:lamps.example').waitFor();
        await count('light 2').click();
        await count('oil 1').click();
        await expectTitles(page, ['Oil']);
        await eventually(() => count('light 1').getAttribute('aria-pressed')).toBe('true');
      }
      await app().open('/everything');
    });

    test('says so when nothing is found, and shows everything again', async () => {
      const { page } = app();
      await field().fill('site:nowhere.example ');
      await page.getByRole('heading', { name: 'No matches' }).waitFor();
      await page.getByRole('button', { name: 'Show everything' }).click();
      await expectTitles(page, ['Oil', 'Tea', 'Lamps of Harrow Street']);
    });

    test('typing on another page searches, and keeps the focus in the field', async () => {
      const { page } = app();
      await page.getByRole('link', { name: 'Tags', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Tags' }).waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('paraffin');
      await eventually(() => page.locator('a.row-title').first().textContent()).toBe('Oil');
      expect([await focused(page), await field().inputValue()]).toEqual(['input Search', 'paraffin']);
      // Typing leaves no address per letter: Back leaves the search.
      await page.goBack();
      await page.getByRole('heading', { level: 1, name: 'Tags' }).waitFor();
    });

    test('the arrow down leads from the field into the list', async () => {
      const { page } = app();
      await app().open('/everything');
      await expectTitles(page, ['Oil', 'Tea', 'Lamps of Harrow Street']);
      await field().focus();
      await page.keyboard.press('ArrowDown');
      await eventually(() => focused(page)).toBe('a Oil');
      await page.keyboard.press('ArrowDown');
      await eventually(() => focused(page)).toBe('a Tea');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Tea' }).waitFor();
    });

    test('completes tags that are rarer than a hundred others', { tags: 'long' }, async () => {
      const { page } = app();
      const common = Array.from({ length: 100 }, (_, at) => `common ${at}`);
      await app().save(
        { title: 'First', pageText: 'The first with all tags.', tags: common },
        { title: 'Second', pageText: 'The second with all tags.', tags: common },
        { title: 'Third', pageText: 'The third with a tag of its own.', tags: ['wick'] },
      );
      await app().open('/everything');
      await field().pressSequentially('tag:wic');
      const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
      await eventually(() => options.allTextContents()).toEqual(['tag:wick1']);
      await field().fill('');
      await page.getByLabel('Select Second').check();
      await page.getByRole('button', { name: 'Add tag' }).click();
      await page.getByRole('dialog').getByRole('combobox').fill('new, wic');
      await eventually(() => page.getByRole('dialog').getByRole('option').allTextContents()).toEqual(['wick']);
    });

    test('QRY-16: one result stands for those with nearly the same text, and links to them', async () => {
      const { page } = app();
      const notice =
        'The town library closes on Friday at noon, because its roof is repaired, and it opens again on the following Monday at nine.';
      await app().save(
        { title: 'Notice', pageText: `${notice} Readers return their books by Thursday.` },
        { title: 'Notice again', pageText: `${notice} Readers return all of their books by Thursday.` },
      );
      await app().open('/?q=roof%20of%20the%20library');
      await eventually(() => page.getByText('similar copy').count()).toBe(1);
      const shown = await rows(page).first().locator('a.row-title').textContent();
      await page.getByRole('link', { name: 'similar copy' }).click();
      const other = shown === 'Notice' ? 'Notice again' : 'Notice';
      await page.getByRole('heading', { level: 1, name: other, exact: true }).waitFor();
    });

    test('QRY-11, QRY-17: folds weaker matches, and a second model judges the results when the user asks for it, and never while typing', async () => {
      const { page } = app();
      await app().open('/everything');
      await field().fill('lamps of oil');
      await page.getByRole('button', { name: /^Show \d+ weaker match/ }).click();
      await eventually(() => page.locator('a.row-title').count()).toBeGreaterThan(1);
      await page.getByRole('heading', { name: 'Weaker matches' }).waitFor();
      expect(reranker.asked).toEqual([]);
      const more = page.getByRole('button', { name: 'Improve these results' });
      await more.click();
      await page.getByText('The ten best results were ranked again.').waitFor();
      // When something changes elsewhere, the same results are judged again.
      const judged = () => [...new Set(reranker.asked.map(({ query }) => query))];
      expect(judged()).toEqual(['lamps of oil']);
      expect(await more.count()).toBe(0);
      await field().fill('lamps of oils');
      await more.waitFor();
      expect(judged()).toEqual(['lamps of oil']);
    });
  },
  { reranker },
);
