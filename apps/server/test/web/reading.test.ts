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
    const colours = [
      ['code-comment', ['// how long it burns']],
      ['code-keyword', ['const', 'const']],
      ['code-string', [expect.stringContaining("'colza, which")]],
      ['code-number', ['12']],
    ];
    await eventually(coloured).toEqual(colours);
    // A highlight splits the texts in which the colours have their ranges.
    const highlight = await app().server.client('createHighlight', {
      parameters: { id },
      body: { quote: 'how long it burns' },
    });
    await text().locator('mark.highlight').waitFor();
    await eventually(coloured).toEqual(colours);
    await app().server.client('deleteHighlight', { parameters: { id: highlight.id } });
    await eventually(() => text().locator('mark.highlight').count()).toBe(0);
    await eventually(coloured).toEqual(colours);
    const [first, second] = [text().locator('.code').nth(0), text().locator('.code').nth(1)];
    await first.hover();
    await first.getByRole('button', { name: 'Copy code' }).click();
    await expectOutcome(page, 'Code copied.');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^\/\/ how long it burns\nconst hours/);
    // Wide programs and tables fade at the edge where they continue; only wide programs can be wrapped.
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
    await expectOutcome(page, 'Ticked.');
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
    // A box that another client ticks appears ticked, and the focus stays.
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

  const y = async (name: string) => (await text().getByText(name).first().boundingBox())?.y ?? 0;
  const chapters = Array.from({ length: 5 }, (_, at) => `## Chapter ${at}\n\n${'Lamps burn oil. '.repeat(300)}`);

  test('has contents from three headings on, which lead to each, and a line that shows the progress', async () => {
    const { page } = app();
    const [id = '', short = ''] = await app().save(
      { title: 'Chapters', url: 'https://chapters.example/', pageText: chapters.join('\n\n') },
      { title: 'Two chapters', url: 'https://two.example/', pageText: '## One\n\nx\n\n## Two\n\ny' },
    );
    await page.setViewportSize({ width: 1100, height: 720 });
    await open(short);
    expect(await page.getByRole('button', { name: 'Contents' }).count()).toBe(0);
    expect(await page.locator('.reader-progress').isVisible()).toBe(false);
    await open(id);
    const progress = () =>
      page.locator('.reader-progress').evaluate((line) => Number(getComputedStyle(line).scale.split(' ')[0]));
    await eventually(progress).toBe(0);
    await page.getByRole('button', { name: 'Contents' }).focus();
    await page.keyboard.press('Enter');
    const contents = page.getByRole('navigation', { name: 'Contents' });
    expect(await contents.getByRole('button').allTextContents()).toEqual([0, 1, 2, 3, 4].map((at) => `Chapter ${at}`));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await contents.waitFor({ state: 'hidden' });
    await eventually(() => focused(page)).toBe('h3 Chapter 1');
    // It is not under the bar that stays.
    const bar = await page.locator('.reader-bar').boundingBox();
    expect(await y('Chapter 1')).toBeGreaterThan((bar?.y ?? 0) + (bar?.height ?? 0));
    await eventually(progress).toBeGreaterThan(0.05);
    await page.getByRole('button', { name: 'Contents' }).click();
    await eventually(() => contents.locator('[aria-current]').textContent()).toBe('Chapter 1');
    await page.keyboard.press('Escape');
    await eventually(() => focused(page)).toBe('button Contents');
    await text().evaluate((article) => article.scrollIntoView({ block: 'end' }));
    await eventually(progress).toBe(1);
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  test('a conversation has a list of its questions, which are tinted', async () => {
    const { page } = app();
    const answer = 'An answer of some length. '.repeat(200);
    const [id = ''] = await app().save({
      title: 'Questions',
      url: 'https://chatgpt.com/c/1',
      messages: ['First question?', 'Second question?'].flatMap((question) => [
        { role: 'user', text: question },
        { role: 'assistant', text: answer },
      ]),
    });
    await open(id);
    const questions = page.getByRole('navigation', { name: 'Questions' });
    expect(await questions.getByRole('button').allTextContents()).toEqual(['First question?', 'Second question?']);
    await questions.getByRole('button', { name: 'Second question?' }).click();
    await eventually(() => y('Second question?')).toBeLessThan(300);
    const colours = await text()
      .locator('.turn')
      .evaluateAll((turns) => turns.map((turn) => getComputedStyle(turn).backgroundColor));
    expect(new Set(colours).size).toBe(2);
  });

  test('the size, typeface and width of the text are remembered', async () => {
    const { page } = app();
    const [id = ''] = await app().save({ title: 'Settings of text', pageText: 'Words to read.' });
    const look = () =>
      text().evaluate((article) => {
        const { fontSize, fontFamily } = getComputedStyle(article);
        return [fontSize, /Source Serif/.test(fontFamily), article.getBoundingClientRect().width];
      });
    await page.setViewportSize({ width: 1600, height: 900 });
    await open(id);
    await eventually(look).toEqual(['18.0625px', true, 672]);
    await page.getByRole('button', { name: 'Text settings' }).click();
    for (const name of ['Larger', 'Sans serif', 'Narrow']) await page.getByRole('radio', { name, exact: true }).check();
    await eventually(look).toEqual(['23px', false, 544]);
    await page.keyboard.press('Escape');
    await eventually(() => page.getByRole('radio', { name: 'Larger', exact: true }).isVisible()).toBe(false);
    await page.reload();
    await eventually(look).toEqual(['23px', false, 544]);
    await page.evaluate(() => localStorage.removeItem('recollect-text-settings'));
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  test('leads to the next and the previous memory of the list, and Back to the list', async () => {
    const { page } = app();
    await app().save(
      ...['Third', 'Second', 'First'].map((title) => ({ title, pageText: `${title} in order`, tags: ['order'] })),
    );
    const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
    await app().open('/?q=tag%3Aorder');
    await page.getByRole('link', { name: 'First', exact: true }).click();
    await heading('First').waitFor();
    expect(await page.getByRole('link', { name: 'Previous memory' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Next memory' }).click();
    await heading('Second').waitFor();
    await page.keyboard.press('j');
    await heading('Third').waitFor();
    expect(await page.getByRole('link', { name: 'Next memory' }).count()).toBe(0);
    await page.keyboard.press('k');
    await heading('Second').waitFor();
    await page.getByRole('link', { name: 'Back' }).click();
    await page.getByRole('link', { name: 'First', exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('?q=tag%3Aorder');
  });

  test('the menu has what is done rarely, and in a narrow window most of the rest', async () => {
    const { page } = app();
    const [id = ''] = await app().save({ title: 'Menu', url: 'https://menu.example/', pageText: 'Words to select.' });
    await open(id);
    const more = page.getByRole('button', { name: 'More', exact: true });
    const inMenu = () => page.locator('.menu:popover-open').getByRole('button').allTextContents();
    await more.click();
    const moves = ['Move to Later', 'Move to Archive'];
    expect(await inMenu()).toEqual([...moves, 'Copy citation', 'Delete']);
    await page.keyboard.press('Escape');
    await eventually(() => focused(page)).toBe('button More');
    await page.getByRole('button', { name: 'Highlight', exact: true }).click();
    await expectOutcome(page, 'Select some of the text first.');
    await text().getByText('Words to select.').selectText();
    await page.getByRole('toolbar', { name: 'Memory' }).getByRole('button', { name: 'Highlight' }).click();
    await text().locator('mark').getByText('Words to select.').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await more.click();
    const actions = ['Copy as Markdown', 'Highlight', 'Read aloud', 'Full screen'];
    const others = ['Copy citation', 'Copy highlights', 'Delete'];
    await eventually(inMenu).toEqual([...actions, ...moves, ...others]);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1280, height: 720 });
  });
});
