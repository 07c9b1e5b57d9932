import { LOCAL_USER } from '@recollect/core';
import { expect, test } from 'vitest';
import { replaceText, typedIn } from '../open-note.js';
import { pressMore } from '../press-more.js';
import { describeApp, eventually, expectOutcome, expectTitles, focused, undo } from './open-app.js';

const MARKDOWN = `# A heading

Some **bold** text, \`code\`, and a [link](https://other.example/page).

\`\`\`js
const lamp = 1 < 2;
\`\`\`

| Oil | Light |
|---|---|
| Colza | dim |

The formula $a_1 + b_2 * c_3 * d$ and $$\\sum_{i} x_i$$ stay text.

![a lamp](https://pixel.example/track.png)

<script>alert(1)</script><form action="https://evil.example"><button>Go</button></form><b style="position:fixed">loud</b>

[bad](javascript:alert(1)) and [data](data:text/html,x), [mine](/memory/019f0c1e-7d3a-7000-8a51-3c1b2f4d5e6f)`;

describeApp('the reader', (app) => {
  const { clipboard } = { clipboard: () => app().page.evaluate(() => navigator.clipboard.readText()) };
  const text = () => app().page.getByRole('article');
  const button = (name: string) => app().page.getByRole('button', { name, exact: true });
  const heading = (name: string) => app().page.getByRole('heading', { level: 1, name, exact: true });
  let page = '';
  let note = '';

  test('shows Markdown with code, tables and formulas, and nothing that a hostile text could do', async () => {
    const ids = await app().save(
      {
        title: 'Lamps and oil',
        url: 'https://lamps.example/oil',
        pageText: MARKDOWN,
        tags: ['light'],
        metadata: { author: 'Ada Lovelace', published: '2025-11-02', language: 'en' },
        capturedAt: '2026-01-02T10:00:00Z',
      },
      {
        title: 'Lamps and oil, as they were',
        url: 'https://lamps.example/oil',
        pageText: 'An older text about lamps and their oil.',
        capturedAt: '2025-01-02T10:00:00Z',
      },
      { pageText: 'My own words about lamps and oil.', title: 'My note', sourceApp: 'web' },
    );
    [page = '', , note = ''] = ids;
    await app().open(`/memory/${page}`);
    await heading('Lamps and oil').waitFor();
    await text().getByRole('heading', { level: 2, name: 'A heading' }).waitFor();
    expect(await text().locator('strong').textContent()).toBe('bold');
    expect(await text().locator('pre code').textContent()).toContain('const lamp = 1 < 2;');
    await eventually(() => text().getByRole('cell').allTextContents()).toEqual(['Colza', 'dim']);
    await eventually(() => text().locator('.formula').allTextContents()).toEqual([
      '$a_1 + b_2 * c_3 * d$',
      '$$\\sum_{i} x_i$$',
    ]);
    const link = text().getByRole('link', { name: 'link' });
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
    await eventually(() =>
      text().locator('script, form, button:not(.code-tools *), style, [style], img, iframe').count(),
    ).toBe(0);
    await eventually(() => text().getByText('Image: a lamp').count()).toBe(1);
    expect(
      await text()
        .locator('a')
        .evaluateAll((links) => links.map((one) => (one as HTMLAnchorElement).protocol)),
    ).toEqual(['https:', ':', ':', 'http:']);
    expect(await text().getByRole('link', { name: 'mine' }).getAttribute('target')).toBeNull();
  });

  test('shows the facts, other captures, related memories and who saved it', async () => {
    const facts = await app().page.locator('.facts').innerText();
    for (const fact of ['lamps.example', 'Ada Lovelace', 'Nov 2, 2025', 'by a script', 'English'])
      expect(facts).toContain(fact);
    const captures = app().page.getByRole('list', { name: 'Versions of this page' });
    await captures.getByRole('link', { name: 'Lamps and oil, as they were' }).waitFor();
    const related = app().page.getByRole('list', { name: 'Related' });
    await related.getByRole('link', { name: 'My note' }).waitFor();
    const history = app().page.getByRole('list', { name: 'History' });
    await history.getByText('Saved by a script').waitFor();
    await captures.getByRole('link').first().click();
    await heading('Lamps and oil, as they were').waitFor();
    // The heading is announced after navigation.
    await eventually(() => focused(app().page)).toBe('h1 Lamps and oil, as they were');
    expect(await app().page.title()).toBe('Lamps and oil, as they were – Recollect');
    await app().page.goBack();
    await heading('Lamps and oil').waitFor();
  });

  test('MEM-16: follows links between notes, and shows what links to a note', async () => {
    const { page } = app();
    const text = 'Green tea needs a [[utensils/Small Pot|small pot]], and [[Nothing]] else.';
    const [linking = ''] = await app().save({ pageText: text, fileName: 'Green.md' });
    await app().open(`/memory/${linking}`);
    await page.getByText('needs a [[utensils/Small Pot|small pot]], and').waitFor();
    const [pot = ''] = await app().save({
      pageText: 'It holds a quarter of a litre.',
      fileName: 'utensils/small pot.md',
    });
    await app().open(`/memory/${linking}`);
    const link = page.getByRole('article').getByRole('link', { name: 'small pot' });
    await page.getByText('small pot, and Nothing else.').waitFor();
    await link.click();
    await page.waitForURL(`**/memory/${pot}`);
    const backlinks = page.getByRole('list', { name: 'Linked from' });
    await backlinks.getByRole('link', { name: 'Green' }).waitFor();
    await app().server.client('changeMemories', { body: { ids: [linking, pot], delete: true } });
  });

  test('MEM-21, MEM-22: an address of a saved page in a note leads to it, and the notebook shows the note', async () => {
    const { page } = app();
    const [pot = '', note = ''] = await app().save(
      { title: 'The pot', url: 'https://pots.example/small', pageText: 'It holds a quarter of a litre.' },
      { title: 'Wishes', pageText: 'https://pots.example/small\n\nand https://pots.example/large' },
    );
    await app().open(`/memory/${note}`);
    await text().getByRole('link', { name: 'https://pots.example/large' }).waitFor();
    expect(await text().getByRole('link', { name: /large/ }).getAttribute('target')).toBe('_blank');
    await text().getByRole('link', { name: 'https://pots.example/small' }).click();
    await page.waitForURL(`**/memory/${pot}`);
    const notebook = page.getByRole('complementary', { name: 'Notebook' });
    await notebook.getByRole('list', { name: 'Linked from' }).getByRole('link', { name: 'Wishes' }).waitFor();
    await app().server.client('changeMemories', { body: { ids: [pot, note], delete: true } });
  });

  test('SEC-11: shows a text with too many elements as it was written, and says so', async () => {
    const table = `${'|a'.repeat(90)}|\n${'|-'.repeat(90)}|\n${'|\n'.repeat(9_000)}`;
    const [id = ''] = await app().save({ title: 'A large table', pageText: `**Rows** follow.\n\n${table}\nThe end.` });
    await app().open(`/memory/${id}`);
    await text().getByText('shown without formatting').waitFor();
    await eventually(() => text().locator('.plain').last().textContent()).toContain('The end.');
    expect(await text().locator('*').count()).toBeLessThan(50_000);
    await app().server.client('changeMemories', { body: { ids: [id], delete: true } });
  });

  test('shows the boxes of a task list, the numbers of a list, aligned columns, and no title twice', async () => {
    const lines = ['# A list', '', '3. three', '4. four', '', '- [x] done', '- [ ] open', '', '| a | b |', '|---|--:|'];
    const [id = ''] = await app().save({ title: 'A list', pageText: [...lines, '| 1 | 2 |'].join('\n') });
    await app().open(`/memory/${id}`);
    await heading('A list').waitFor();
    await eventually(() => text().getByRole('checkbox').count()).toBe(2);
    expect(await text().getByRole('checkbox', { name: 'done', exact: true }).isChecked()).toBe(true);
    expect(await text().getByRole('checkbox', { name: 'open', exact: true }).isChecked()).toBe(false);
    expect(await text().locator('ol').getAttribute('start')).toBe('3');
    expect(await text().getByRole('cell', { name: '2' }).getAttribute('align')).toBe('right');
    expect(await text().getByRole('region', { name: 'Table' }).getAttribute('tabindex')).toBe('0');
    expect(await text().getByRole('heading').count()).toBe(0);
    const [untitled = ''] = await app().save({ pageText: 'Shopping\n\n- [ ] milk' });
    await app().open(`/memory/${untitled}`);
    await heading('Shopping').waitFor();
    await text().getByRole('checkbox', { name: 'milk' }).waitFor();
    expect(await text().getByText('Shopping').isVisible()).toBe(false);
    await app().server.client('deleteMemory', { parameters: { id: untitled } });
  });

  test('lines that an author wrapped flow on a page, and stay in a note', async () => {
    const wrapped = `The lamplighter of Harrow Street lights forty lamps each evening, and puts
them out again before the sun is up, which in December is a short walk in
the dark with a long pole.`;
    const ids = await app().save(
      { title: 'Wrapped page', url: 'https://lamps.example/wrapped', pageText: wrapped },
      { title: 'Wrapped note', pageText: `${wrapped}\n\nIt is mine.` },
    );
    const breaks = [];
    for (const id of ids) {
      await app().open(`/memory/${id}`);
      await text().getByText('with a long pole').waitFor();
      breaks.push(await text().locator('br').count());
    }
    expect(breaks).toEqual([0, 2]);
    for (const id of ids) await app().server.core.memories.remove(LOCAL_USER, id);
  });

  test('shows a conversation as turns', async () => {
    const [id = ''] = await app().save({
      title: 'Which lamps?',
      url: 'https://claude.ai/chat/7',
      messages: [
        { role: 'user', text: 'Which lamps may burn on a boat?' },
        { role: 'assistant', text: 'Side lights:\n\n- red\n- green' },
      ],
    });
    await app().open(`/memory/${id}`);
    await text().getByText('Which lamps may burn').waitFor();
    const turns = await text()
      .locator('.turn')
      .evaluateAll((all) =>
        all.map((turn) => [turn.querySelector('h2')?.textContent, turn.querySelectorAll('li').length]),
      );
    expect(turns.map(([role]) => role)).toEqual(['You', 'Claude']);
    expect(turns.map(([, items]) => items)).toEqual([0, 2]);
  });

  test('the title is edited in place, and the change undone', async () => {
    await app().open(`/memory/${page}`);
    await button('Edit title').focus();
    await app().page.keyboard.press('Enter');
    await eventually(() => focused(app().page)).toBe('input Title');
    await app().page.keyboard.press('End');
    await app().page.keyboard.type(', again');
    await app().page.keyboard.press('Enter');
    await heading('Lamps and oil, again').waitFor();
    await expectOutcome(app().page, 'Title changed.');
    await eventually(() => focused(app().page)).toBe('button Edit title');
    await app().page.getByRole('list', { name: 'History' }).getByText('Changed title by the web app').waitFor();
    await undo(app().page);
    await heading('Lamps and oil').waitFor();
    await expectOutcome(app().page, 'Undone.');
    // Escape leaves the title as it was.
    await button('Edit title').click();
    await app().page.keyboard.type('x');
    await app().page.keyboard.press('Escape');
    await heading('Lamps and oil').waitFor();
    await eventually(() => focused(app().page)).toBe('button Edit title');
    // A title of spaces is not saved, and the field says so.
    await button('Edit title').click();
    const field = app().page.getByRole('textbox', { name: 'Title' });
    await field.fill('  ');
    await app().page.keyboard.press('Enter');
    expect(await field.evaluate((input: HTMLInputElement) => input.validationMessage)).toBe('A title cannot be blank.');
    await app().page.keyboard.press('Escape');
    await heading('Lamps and oil').waitFor();
  });

  test('a first heading is hidden only while it is the title', async () => {
    const first = text().getByRole('heading', { name: 'A heading', includeHidden: true });
    for (const [title, isVisible] of [['A heading', false] as const, ['Lamps and oil', true] as const]) {
      await app().server.client('updateMemory', { parameters: { id: page }, body: { title } });
      await heading(title).waitFor();
      await eventually(() => first.isVisible()).toBe(isVisible);
    }
  });

  test('tags are added and removed in place by keyboard', async () => {
    const { page: tab, server } = app();
    await tab.keyboard.press('e');
    await eventually(() => focused(tab)).toBe('input New tag');
    await tab.keyboard.type('oil, history');
    await tab.keyboard.press('Enter');
    await expectOutcome(tab, 'oil, history added to 1 memory.');
    await button('Remove tag oil').waitFor();
    await button('Remove tag light').focus();
    // A change by another client renders the page again, and leaves the focus where it is.
    await server.client('updateMemory', { parameters: { id: page }, body: { note: 'From elsewhere.' } });
    await eventually(() => tab.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('From elsewhere.');
    expect(await focused(tab)).toBe('button Remove tag light');
    await tab.keyboard.press('Enter');
    await eventually(async () => (await server.client('getMemory', { parameters: { id: page } })).tags).toEqual([
      'oil',
      'history',
    ]);
    await expectOutcome(tab, 'light removed from 1 memory.');
    await tab.getByRole('combobox', { name: 'New tag' }).focus();
    await tab.keyboard.press('Escape');
    await eventually(() => focused(tab)).toBe('button Edit tags');
    await undo(tab);
    await tab.getByRole('link', { name: 'light', exact: true }).waitFor();
  });

  test('the note is kept when the field is left, and the change undone', async () => {
    const { page: tab, server } = app();
    const stored = async () => (await server.client('getMemory', { parameters: { id: page } })).note;
    const field = tab.getByRole('textbox', { name: 'Note' });
    await field.fill('Read again in winter.');
    await field.press('Tab');
    await expectOutcome(tab, 'Note saved.');
    expect(await stored()).toBe('Read again in winter.');
    await undo(tab);
    await eventually(stored).toBe('From elsewhere.');
    await eventually(() => field.inputValue()).toBe('From elsewhere.');
    // Leaving the page saves what is typed.
    await field.fill('Typed and left.');
    await tab.getByRole('link', { name: 'Tags', exact: true }).click();
    await eventually(stored).toBe('Typed and left.');
    await tab.goBack();
  });

  test('an undo keeps what another client changed since', async () => {
    const { page: tab, server } = app();
    // The note that was saved on leaving the page is still announced.
    await tab.reload();
    const field = tab.getByRole('textbox', { name: 'Note' });
    await eventually(() => field.inputValue()).toBe('Typed and left.');
    await field.fill('Typed here.');
    await field.press('Tab');
    await expectOutcome(tab, 'Note saved.');
    await server.client('updateMemory', { parameters: { id: page }, body: { note: 'Typed and left.' } });
    await undo(tab);
    await expectOutcome(tab, 'Nothing was undone. Skipped 1 memory that changed since.');
    await eventually(() => field.inputValue()).toBe('Typed and left.');
  });

  test('the note is saved once while it is typed with pauses, and as the window closes', async () => {
    const { server, context } = app();
    const stored = async () => (await server.client('getMemory', { parameters: { id: page } })).note;
    // The app marks a page whose end is in view as read.
    const changes = async () => {
      const { history } = await server.client('memoryHistory', { parameters: { id: page } });
      return history.filter(({ fields }) => fields?.includes('note')).length;
    };
    const before = await changes();
    const tab = await context.newPage();
    await tab.goto(`${server.address}/memory/${page}`);
    const field = tab.getByRole('textbox', { name: 'Note' });
    const began = performance.now();
    await field.fill('Typed');
    await tab.waitForTimeout(1_500);
    await field.press('End');
    await field.pressSequentially(' with pauses. ');
    await tab.waitForTimeout(1_500);
    const meanwhile = await changes();
    // It is saved five seconds after the last key. On a busy machine, that may be over by now.
    const isSoon = performance.now() - began < 4_500;
    if (isSoon) expect(meanwhile).toBe(before);
    await eventually(stored).toBe('Typed with pauses.');
    expect(await field.inputValue()).toBe('Typed with pauses. ');
    if (isSoon) expect(await changes()).toBe(before + 1);
    await field.fill('Typed as it closed.');
    await tab.close({ runBeforeUnload: true });
    await eventually(stored).toBe('Typed as it closed.');
    await server.client('updateMemory', { parameters: { id: page }, body: { note: 'Typed and left.' } });
  });

  test('the text of a note is edited, and the change undone', async () => {
    const { page: tab } = app();
    await eventually(() => button('Edit text').count()).toBe(0);
    await app().open(`/memory/${note}`);
    await button('Edit text').click();
    await eventually(() => focused(tab)).toBe('div Text');
    await tab.keyboard.press('Control+A');
    await tab.keyboard.type('# New\n\nThe new words.');
    await tab.keyboard.press('Control+Enter');
    await text().getByRole('heading', { name: 'New' }).waitFor();
    await expectOutcome(tab, 'Text changed.');
    await eventually(() => focused(tab)).toBe('button Edit text');
    await undo(tab);
    await text().getByText('My own words about lamps and oil.').waitFor();
  });

  test('a draft of a text that changed meanwhile is not mistaken for the stored text', async () => {
    const { page: tab, server } = app();
    const field = tab.getByRole('textbox', { name: 'Text', exact: true });
    const warning = tab.getByRole('alert').filter({ hasText: 'The stored text changed after you began this draft.' });
    const store = (stored: string) =>
      server.client('updateMemory', { parameters: { id: note }, body: { text: stored } });
    await button('Edit text').click();
    await tab.locator('.cm-content').waitFor();
    await replaceText(field, 'My draft.');
    await eventually(() => warning.count()).toBe(0);
    await store('Changed elsewhere.');
    await warning.waitFor();
    expect([await typedIn(field), await button('Save text').isDisabled()]).toEqual(['My draft.', true]);
    await warning.getByText('Show the stored text').click();
    expect(await tab.getByRole('textbox', { name: 'Stored text' }).inputValue()).toBe('Changed elsewhere.');
    await button('Keep my draft').click();
    await eventually(() => warning.count()).toBe(0);
    await store('Changed once more.');
    await warning.waitFor();
    // The draft outlives the page, with what it was begun from.
    await app().open(`/memory/${note}`);
    await button('Edit text').click();
    await warning.waitFor();
    await button('Use the stored text').click();
    await eventually(() => typedIn(field)).toBe('Changed once more.');
    await eventually(() => warning.count()).toBe(0);
    // Without a draft, the field follows the stored text.
    await store('My own words about lamps and oil.');
    await eventually(() => typedIn(field)).toBe('My own words about lamps and oil.');
    await button('Cancel').click();
  });

  test('copies as Markdown and as a citation', async () => {
    await app().open(`/memory/${page}`);
    await button('Copy as Markdown').click();
    await expectOutcome(app().page, 'Copied as Markdown.');
    expect(await clipboard()).toMatch(
      /^# Lamps and oil\n\nSource: <https:\/\/lamps\.example\/oil> {2}\nSaved: 2026-01-02.* {2}\nTags: light, oil, history {2}\nNote: Typed and left\.\n\n# A heading/,
    );
    await pressMore(app().page, 'Copy citation');
    await expectOutcome(app().page, 'Citation copied.');
    expect(await clipboard()).toMatch(
      /^Ada Lovelace\. “Lamps and oil”\. lamps\.example\. 2025-11-02\. https:\/\/lamps\.example\/oil \(saved Jan 2, 2026/,
    );
  });

  test('is deleted with the key, and comes back with Undo', async () => {
    const { page: tab } = app();
    await tab.getByRole('heading', { level: 1 }).focus();
    await tab.keyboard.press('#');
    await expectOutcome(tab, 'Moved to the trash.');
    await expectTitles(tab, ['Which lamps?', 'A list', 'My note', 'Lamps and oil, as they were']);
    await undo(tab);
    await expectTitles(tab, ['Which lamps?', 'A list', 'My note', 'Lamps and oil', 'Lamps and oil, as they were']);
    await tab.getByRole('link', { name: 'Lamps and oil', exact: true }).click();
    await heading('Lamps and oil').waitFor();
    await pressMore(tab, 'Delete');
    await expectOutcome(tab, 'Moved to the trash.');
  });

  test('a memory that is gone can be restored, and an unknown one says so', async () => {
    const { page: tab } = app();
    await app().open(`/memory/${page}`);
    await heading('This memory is not here.').waitFor();
    await button('Restore it from the trash').click();
    await heading('Lamps and oil').waitFor();
    await app().server.client('changeMemories', { body: { ids: [page], delete: true } });
    // Another client deleted it while it was open.
    await heading('This memory is not here.').waitFor();
    await app().open('/memory/unknown');
    await heading('This memory is not here.').waitFor();
    await eventually(() => tab.getByRole('link', { name: 'Show everything' }).count()).toBe(1);
  });

  test('CAP-22: has the comments of a page below its text, closed at first, and nothing hostile in them', async () => {
    const comments = [
      { author: 'Ann', published: '2026-11-01T09:00:00Z', text: 'The **valve** again.<script>alert(1)</script>' },
      { author: 'Bo', text: 'It never froze before. ![x](https://pixel.example/track.png)' },
    ];
    const url = 'https://lamps.example/dark';
    const [id] = await app().save({ title: 'Dark lamps', url, pageText: 'The lamps went dark.', comments });
    await app().open(`/memory/${id}`);
    const list = app().page.locator('details.comments');
    await list.getByText('2 comments').waitFor();
    expect(await list.getByText('valve').count()).toBe(0);
    await list.getByText('2 comments').click();
    await list.locator('strong', { hasText: 'valve' }).waitFor();
    expect(await list.locator('section').allTextContents()).toEqual([
      expect.stringMatching(/^Ann · .*The valve again\./),
      expect.stringMatching(/^BoIt never froze before\./),
    ]);
    expect(await list.locator('script, img').count()).toBe(0);
    expect(await text().textContent()).not.toContain('valve');
  });

  test('SYS-44: a text that is only its title is shown once, in the reader and in lists', async () => {
    const { page, server } = app();
    const [id = '', task = ''] = await app().save({ pageText: 'Buy  *paraffin*' }, { pageText: '- [ ] Trim wicks' });
    await server.client('updateMemory', { parameters: { id: task }, body: { title: 'Trim wicks' } });
    await app().open('/everything');
    const row = page.locator('.row-memory').filter({ hasText: 'Buy paraffin' });
    expect((await row.innerText()).match(/Buy paraffin/g)).toHaveLength(1);
    await page.evaluate(() => localStorage.setItem('recollect-view', 'cards'));
    await page.reload();
    const card = page.locator('.memory-card').filter({ hasText: 'Buy paraffin' });
    expect((await card.innerText()).match(/Buy paraffin/g)).toHaveLength(1);
    await page.evaluate(() => localStorage.removeItem('recollect-view'));
    await app().open(`/memory/${id}`);
    await page.locator('article[aria-busy="false"]').waitFor({ state: 'attached' });
    expect((await page.locator('.reader-content').innerText()).match(/Buy paraffin/g)).toHaveLength(1);
    // Nothing more can be scrolled into view.
    await eventually(async () => (await server.client('getMemory', { parameters: { id } })).readState).toBe('read');
    await app().open(`/memory/${task}`);
    await page.getByRole('article').getByRole('checkbox').waitFor();
    await server.client('changeMemories', { body: { ids: [id, task], delete: true } });
  });
});
