import { expect, test } from 'vitest';
import { describeApp, eventually, expectOutcome, focused, undo } from './open-app.js';

/** The time of the server, which tests set. The browser has its own. */
let now = new Date('2026-03-01T10:00:00Z');

describeApp(
  'the review of highlights',
  (app) => {
    const card = () => app().page.locator('.review-card blockquote');
    const button = (name: string) => app().page.getByRole('button', { name });

    test('HLT-6: explains what comes here, and shows the highlights of other days one after the other', async () => {
      const { page, server } = app();
      const [one = '', two = ''] = await app().save(
        { title: 'Tides', pageText: 'The moon pulls the sea. Twice a day it falls.' },
        { title: 'Bread', pageText: 'Cold dough keeps. It rises slowly.' },
      );
      for (const [id, quote] of [
        [one, 'The moon pulls the sea'],
        [two, 'Cold dough keeps'],
        [one, 'Twice a day it falls'],
      ] as const) {
        now = new Date(now.getTime() + 1_000);
        await server.client('createHighlight', { parameters: { id }, body: { quote, note: 'Mine', colour: 'blue' } });
      }
      await app().open('/highlights/review');
      await page.getByRole('heading', { name: 'Nothing to review yet' }).waitFor();
      now = new Date('2026-03-02T10:00:00Z');
      await app().open('/');
      const shelf = page.getByRole('region', { name: 'Highlights to revisit' });
      await eventually(() => shelf.getByRole('listitem').count()).toBe(3);
      await shelf.getByRole('link', { name: 'Review' }).click();
      await eventually(() => card().textContent()).toBe('The moon pulls the sea');
      await page.getByText('1 of 3').waitFor();
      await page.getByRole('article').getByRole('link', { name: 'Tides' }).waitFor();
    });

    test('HLT-6: keys and buttons keep and dismiss, with undo, until the day is done', async () => {
      const { page } = app();
      await page.keyboard.press('k');
      await expectOutcome(page, 'Kept.');
      await eventually(() => card().textContent()).toBe('Cold dough keeps');
      await button('Dismiss the passage').click();
      await expectOutcome(page, 'Dismissed.');
      await eventually(() => card().textContent()).toBe('Twice a day it falls');
      await undo(page);
      await eventually(() => card().textContent()).toBe('Cold dough keeps');
      await page.keyboard.press('x');
      await eventually(() => card().textContent()).toBe('Twice a day it falls');
      await page.reload();
      await eventually(() => card().textContent()).toBe('Twice a day it falls');
      await button('Keep the passage').focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Done for today' }).waitFor();
      await page.getByText('2 kept, 1 dismissed. More come tomorrow.').waitFor();
      await eventually(() => focused(page)).toBe('h2 Done for today');
      await app().open('/');
      await page.getByRole('region', { name: 'Recently saved' }).waitFor();
      expect(await page.getByRole('region', { name: 'Highlights to revisit' }).count()).toBe(0);
    });

    test('HLT-6: a dismissed highlight stays in the list, and can be offered again', async () => {
      const { page, server } = app();
      await page.keyboard.press('g');
      await page.keyboard.press('r');
      await page.getByRole('heading', { name: 'Done for today' }).waitFor();
      await page.getByRole('link', { name: 'All highlights' }).click();
      await page.getByText('Not in the review').waitFor();
      await button('Review this highlight again').click();
      await expectOutcome(page, 'The review offers it again.');
      await eventually(() => page.getByText('Not in the review').count()).toBe(0);
      const { highlights } = await server.client('highlightsToReview', { query: {} });
      expect(highlights.map(({ decision }) => decision)).toEqual(['keep', null, 'keep']);
    });

    test('HLT-6: all highlights are printed, and downloaded as Markdown, however many are loaded', async () => {
      const { page, server } = app();
      const [many = ''] = await app().save({ title: 'Many', pageText: 'Words and words.', url: 'https://a.example/' });
      for (let at = 0; at < 60; at++)
        await server.client('createHighlight', { parameters: { id: many }, body: { quote: `Words ${at}` } });
      await app().open('/highlights');
      await page.getByRole('button', { name: 'Show more' }).waitFor();
      await page.evaluate(() => {
        window.print = () => {
          document.title = `printed ${document.querySelectorAll('.highlight-list li').length}`;
        };
      });
      await button('Print or export').click();
      await button('Print').last().click();
      await eventually(() => page.title()).toBe('printed 63');
      const download = page.waitForEvent('download');
      await button('Print or export').click();
      await button('Download as Markdown').click();
      expect((await download).suggestedFilename()).toMatch(/^highlights-\d{4}-\d{2}-\d{2}\.md$/);
      await expectOutcome(page, '63 highlights downloaded.');
    });
  },
  { clock: { now: () => now } },
);
