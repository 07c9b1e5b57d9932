import { expect, test } from 'vitest';
import { describeApp, eventually, expectOutcome, focused } from './open-app.js';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describeApp('the layout of the reader', (app) => {
  const text = () => app().page.getByRole('article');
  const button = (name: string) => app().page.getByRole('button', { name, exact: true });
  const chapters = Array.from({ length: 5 }, (_, at) => `## Chapter ${at}\n\n${'Bees dance for hours. '.repeat(300)}`);
  const pageText = `The first sentence.\n\n${chapters.join('\n\n')}`;
  const open = async (id: string) => {
    await app().open(`/memory/${id}`);
    await app().page.locator('article[aria-busy="false"]').waitFor();
  };
  const box = async (selector: string) => {
    const { x = 0, y = 0, width = 0 } = (await app().page.locator(selector).boundingBox()) ?? {};
    return { x, y, width, end: x + width };
  };
  const usual = () => app().page.setViewportSize({ width: 1280, height: 720 });

  test('SYS-43: shows the text between its contents and the notebook, and the minutes that it takes', async () => {
    const { page } = app();
    const [id = ''] = await app().save({
      title: 'Bees',
      url: 'https://bees.example/',
      pageText,
      tags: ['garden/bees'],
    });
    await page.setViewportSize({ width: 1440, height: 900 });
    await open(id);
    const contents = page.getByRole('navigation', { name: 'Contents' });
    await eventually(() => contents.getByRole('button').count()).toBe(5);
    const [list, article, notebook] = [await box('.reader-contents'), await box('article'), await box('.reader-aside')];
    expect(list.end).toBeLessThan(article.x);
    expect(article.end).toBeLessThan(notebook.x);
    // The navigation of the app is beside all three.
    const middle = (list.x + notebook.end) / 2;
    expect(Math.abs((article.x + article.end) / 2 - middle)).toBeLessThan(40);
    expect(await page.locator('.facts').innerText()).toContain('25 min');
    expect(await text().page().locator('.reader-tags').innerText()).toContain('garden/bees');
    await contents.getByRole('button', { name: 'Chapter 3' }).press('Enter');
    await eventually(() => focused(page)).toBe('h3 Chapter 3');
    await eventually(() => contents.locator('[aria-current]').textContent()).toBe('Chapter 3');
    await page.getByRole('complementary', { name: 'Notebook' }).getByRole('textbox', { name: 'Note' }).waitFor();
    await page.setViewportSize({ width: 1100, height: 800 });
    await button('Contents').waitFor();
    expect(await page.locator('.reader-contents').count()).toBe(0);
    await app().open('/everything');
    await eventually(() => page.locator('.row-facts').first().innerText()).toContain('25 min');
    await usual();
  });

  test('SYS-44: begins with the picture, and with the first sentence near the top', async () => {
    const { page } = app();
    const capture = { pageText, tags: ['bees'], metadata: { author: 'Ines Maar', published: '2026-03-03' } };
    const picture = { type: 'image/png', data: PNG };
    const [with_ = '', without = ''] = await app().save(
      { title: 'How bees choose a nest', url: 'https://bees.example/nest', ...capture, picture },
      { title: 'How bees find a nest', url: 'https://bees.example/find', ...capture },
    );
    for (const [size, id, most] of [
      [{ width: 1440, height: 900 }, with_, 260],
      [{ width: 1440, height: 900 }, without, 220],
      [{ width: 390, height: 844 }, with_, 300],
      [{ width: 390, height: 844 }, without, 300],
    ] as const) {
      await page.setViewportSize(size);
      await open(id);
      await eventually(() => page.locator('.lead-picture').count()).toBe(id === with_ ? 1 : 0);
      const sentence = await text().getByText('The first sentence').boundingBox();
      expect(sentence?.y, `${size.width} px`).toBeLessThanOrEqual(most);
    }
    await usual();
  });

  test('SYS-45: has themes, line heights and the full screen, and bars that step aside while scrolling', async () => {
    const { page } = app();
    const [id = ''] = await app().save({ title: 'Looks', url: 'https://looks.example/', pageText });
    await open(id);
    const look = () =>
      text().evaluate((article) => {
        const { fontSize, lineHeight } = getComputedStyle(article);
        const [size = 1, height = 0] = [fontSize, lineHeight].map(Number.parseFloat);
        return [getComputedStyle(document.documentElement).backgroundColor, Math.round((100 * height) / size)];
      });
    const [plain] = await look();
    await button('Text settings').click();
    for (const name of ['Sepia', 'Loose']) await page.getByRole('radio', { name, exact: true }).check();
    await eventually(look).toEqual(['rgb(245, 238, 223)', 190]);
    await page.getByRole('radio', { name: 'Dark', exact: true }).check();
    await eventually(look).toEqual(['rgb(22, 23, 26)', 190]);
    await page.keyboard.press('Escape');
    await page.reload();
    await eventually(look).toEqual(['rgb(22, 23, 26)', 190]);
    // The theme is for reading only.
    await page.getByRole('link', { name: 'Tags', exact: true }).click();
    const back = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    await eventually(back).toBe(plain);
    await page.evaluate(() => localStorage.removeItem('recollect-text-settings'));

    await open(id);
    const bar = async () => (await box('.reader-bar')).y;
    const shown = await bar();
    await page.mouse.move(640, 500);
    for (let step = 0; step < 6; step++) await page.mouse.wheel(0, 120);
    await eventually(bar).toBeLessThan(shown - 20);
    await page.mouse.wheel(0, -120);
    await eventually(bar).toBeGreaterThan(shown - 20);
    for (let step = 0; step < 6; step++) await page.mouse.wheel(0, 120);
    await eventually(bar).toBeLessThan(shown - 20);
    await page.getByRole('link', { name: 'Back' }).focus();
    await page.keyboard.press('Tab');
    await eventually(bar).toBeGreaterThan(shown - 20);
    await page.evaluate(() => scrollTo(0, 0));
    await button('Full screen').click();
    await eventually(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true);
    await eventually(() => page.locator('.head').isVisible()).toBe(false);
    await button('Full screen').click();
    await eventually(() => page.locator('.head').isVisible()).toBe(true);
  });

  test('SYS-46: reads the text aloud from the place in view, with pause and stop, or says that no voice is there', async () => {
    const { page } = app();
    const said = '- One.\n  - Two inside.\n\n```js\nnever(1);\n```\n\nThe end.';
    const [id = ''] = await app().save({
      title: 'Aloud',
      url: 'https://aloud.example/',
      pageText: `Bees dance. Others follow.\n\n${said}`,
    });
    await open(id);
    // Chromium without a desktop has no voice.
    await page.evaluate(() => Object.assign(speechSynthesis, { getVoices: () => [] }));
    await button('Read aloud').click();
    await expectOutcome(page, 'No voice was found.');
    // An engine that speaks each part at once. It waits after the third, so that the reading can be paused.
    await page.evaluate(() => {
      const spoken: string[] = [];
      Object.assign(window, { spoken });
      Object.assign(speechSynthesis, {
        getVoices: () => [{}],
        cancel: () => {},
        speak: (utterance: SpeechSynthesisUtterance) => {
          spoken.push(utterance.text);
          if (spoken.length !== 3) setTimeout(() => utterance.onend?.(new Event('end') as SpeechSynthesisEvent));
        },
      });
    });
    const spoken = () => page.evaluate(() => (window as unknown as { spoken: string[] }).spoken);
    await button('Read aloud').click();
    const player = page.getByRole('region', { name: 'Reading aloud' });
    await eventually(spoken).toEqual(['Bees dance.', 'Others follow.', 'One.']);
    await player.getByRole('button', { name: 'Pause reading' }).click();
    await player.getByRole('button', { name: 'Continue reading' }).click();
    await eventually(spoken).toEqual(['Bees dance.', 'Others follow.', 'One.', 'One.', 'Two inside.', 'The end.']);
    await player.waitFor({ state: 'hidden' });
  });
});
