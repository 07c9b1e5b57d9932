import { expect, test } from 'vitest';
import { describeApp, eventually, expectOutcome, focused, undo } from './open-app.js';

const CODE = `A program:

\`\`\`js
// how long it burns
const hours = 12; const oil = 'colza, which was pressed from rape and burned in the lamps of towns before there was petroleum';
\`\`\`

\`\`\`
no language
\`\`\`

| ${Array.from({ length: 16 }, (_, at) => `column ${at}`).join(' | ')} |
|${'---|'.repeat(16)}
| ${Array.from({ length: 16 }, (_, at) => `value${at}`).join(' | ')} |`;

const HTML = `Press <kbd>Ctrl</kbd>, H<sub>2</sub>O,<br>a Map<string, T>. <!-- nothing -->

<details onopen="alert(1)"><summary>More <script>alert(1)</script></summary>

Folded **text**.

</details>

<table class="dialog"><tr><th>Oil</th><td colspan="2" onclick="alert(1)" style="position:fixed">Colza</td></tr></table>

<picture><source srcset="https://evil.example/s.png"><img src="https://evil.example/i.png" alt="a lamp" onerror="alert(1)"></picture>

<div id="app" class="sign-in" role="dialog" aria-label="Sign in" tabindex="1">Not a dialog</div>`;

describeApp('reading', (app) => {
  const text = () => app().page.getByRole('article');
  const box = (name: string) => text().getByRole('checkbox', { name, exact: true });
  const open = async (id: string) => {
    await app().open(`/memory/${id}`);
    await app().page.locator('article[aria-busy="false"]').waitFor();
  };

  test('programs have colours if their language is known, and are copied and wrapped', async () => {
    const { page } = app();
    const [id = ''] = await app().save({ title: 'Programs', url: 'https://code.example/', pageText: CODE });
    await open(id);
    const coloured = () =>
      page.evaluate(() =>
        Array.from(CSS.highlights, ([kind, ranges]) => [kind, Array.from(ranges, (range) => `${range}`)]).filter(
          ([, words]) => words?.length !== 0,
        ),
      );
    await eventually(coloured).toEqual([
      ['code-comment', ['// how long it burns']],
      ['code-keyword', ['const', 'const']],
      ['code-string', [expect.stringContaining("'colza, which")]],
      ['code-number', ['12']],
    ]);
    const [first, second] = [text().locator('.code').nth(0), text().locator('.code').nth(1)];
    await first.hover();
    await first.getByRole('button', { name: 'Copy code' }).click();
    await expectOutcome(page, 'Code copied.');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^\/\/ how long it burns\nconst hours/);
    // A program that is wide fades where it goes on, and so does a table; only such a program can be wrapped.
    const edges = () =>
      text()
        .locator('pre, .table')
        .evaluateAll((all) =>
          all.map((one) =>
            [...one.classList]
              .filter((name) => name !== 'table')
              .sort()
              .join(' '),
          ),
        );
    await eventually(edges).toEqual(['more-after', '', 'more-after']);
    expect(await second.getByRole('button', { name: 'Wrap lines' }).count()).toBe(0);
    await text()
      .locator('.table')
      .evaluate((table) => table.scrollTo({ left: 20 }));
    await eventually(edges).toEqual(['more-after', '', 'more-after more-before']);
    await first.getByRole('button', { name: 'Wrap lines' }).focus();
    await page.keyboard.press('Enter');
    await eventually(edges).toEqual(['wrapped', '', 'more-after more-before']);
    expect(await first.getByRole('button', { name: 'Wrap lines' }).getAttribute('aria-pressed')).toBe('true');
  });

  test('a text without programs does not load the grammars', async () => {
    const { page } = app();
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    const [id = ''] = await app().save({ title: 'Prose', pageText: 'Words only.' });
    await open(id);
    expect(loaded.filter((url) => url.includes('worker'))).toEqual([]);
  });

  test('boxes of a note are ticked by mouse and keys, one after the other, and each is undone', async () => {
    const { page, server } = app();
    const lines = ['- [x] tea', '- [ ] coffee', '  - [ ] ground', '', '```', '- [ ] program', '```', '', 'End.'];
    const [id = ''] = await app().save({ title: 'To buy', pageText: lines.join('\n') });
    const stored = async () => (await server.client('getMemory', { parameters: { id } })).text;
    await open(id);
    await box('coffee').check();
    await expectOutcome(page, 'Done.');
    await eventually(stored).toBe(lines.join('\n').replace('[ ] coffee', '[x] coffee'));
    await undo(page);
    await eventually(() => box('coffee').isChecked()).toBe(false);
    expect(await stored()).toBe(lines.join('\n'));
    // Two at once: the second waits for the first.
    await box('tea').focus();
    await page.keyboard.press('Space');
    await box('ground').check();
    await eventually(stored).toBe(lines.join('\n').replace('[x] tea', '[ ] tea').replace('[ ] ground', '[x] ground'));
    expect([await box('tea').isChecked(), await box('ground').isChecked()]).toEqual([false, true]);
    // What another client ticks appears, and the focus stays.
    await box('tea').focus();
    await server.client('updateMemory', { parameters: { id }, body: { text: lines.join('\n') } });
    await eventually(() => box('tea').isChecked()).toBe(true);
    expect(await focused(page)).toBe('input tea');
  });

  test('a box is not ticked in a text that was changed meanwhile, and boxes of pages cannot be ticked', async () => {
    const { page, server } = app();
    const [id = '', web = ''] = await app().save(
      { title: 'To do', pageText: '- [ ] sweep\n- [ ] mop' },
      { title: 'A page', url: 'https://tasks.example/', pageText: '- [ ] theirs' },
    );
    await open(id);
    const learns = Promise.withResolvers<void>();
    await page.route(`**/api/v1/memories/${id}`, async (route) => {
      if (route.request().method() === 'GET') await learns.promise;
      await route.continue();
    });
    await server.client('updateMemory', { parameters: { id }, body: { text: '- [ ] dust\n- [ ] sweep\n- [ ] mop' } });
    await box('sweep').click();
    await expectOutcome(page, 'The text was changed meanwhile');
    learns.resolve();
    await box('dust').waitFor();
    expect((await server.client('getMemory', { parameters: { id } })).text).not.toContain('[x]');
    await page.unroute(`**/api/v1/memories/${id}`);
    await open(web);
    expect(await box('theirs').isDisabled()).toBe(true);
  });

  test('SYS-6: harmless HTML is shown, and nothing else of it gets through', async () => {
    const { page } = app();
    const [id = ''] = await app().save({ title: 'HTML', url: 'https://html.example/', pageText: HTML });
    await open(id);
    expect(await text().locator('p').first().innerText()).toBe('Press Ctrl, H2O,\na Map<string, T>.');
    expect(await text().locator('kbd, sub').allTextContents()).toEqual(['Ctrl', '2']);
    expect(await text().locator('summary').textContent()).toBe('More <script>alert(1)</script>');
    expect(await text().getByText('Folded text.').isVisible()).toBe(false);
    await text().locator('summary').click();
    await text().getByText('Folded text.').waitFor();
    await text().getByRole('cell', { name: 'Colza' }).waitFor();
    await text().getByText('Image: a lamp').waitFor();
    await text().getByText('Not a dialog').waitFor();
    const attributes = await text()
      .locator('*')
      .evaluateAll((all) => [...new Set(all.flatMap((one) => one.getAttributeNames()))].sort());
    expect(attributes).toEqual(['aria-label', 'class', 'colspan', 'dir', 'open', 'role', 'tabindex']);
    const classes = await text()
      .locator('[class]')
      .evaluateAll((all) => all.map(({ className }) => className));
    expect(classes).toEqual(['table', 'image']);
    expect(await text().locator('script, source, picture, img, div:not(.table)').count()).toBe(0);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});
