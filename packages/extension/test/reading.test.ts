import { readFileSync } from 'node:fs';
import { type Browser, browserPath, openContext } from '@recollect/browser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPage, read } from './open-page.js';

const fixture = (name: string) => readFileSync(new URL(`./fixtures/${name}.html`, import.meta.url), 'utf8');
let browser: Browser;

describe.skipIf(browserPath === undefined)(
  'reading a page in Chromium (needs Chromium: apt-get install chromium)',
  () => {
    beforeAll(async () => {
      browser = await openContext();
    });
    afterAll(() => browser?.close());

    test('reads an article as Markdown, including shadow roots and frames, without hidden text', async () => {
      const page = await openPage(browser, 'https://blatt.example/faehrseil?x=1', fixture('article'));
      const before = await page.content();
      const { pageText, facts, title, smart, sourceApp, url } = await read(page);
      expect(title).toBe('Das Fährseil');
      expect([smart, sourceApp, url]).toEqual(['page', 'web', 'https://blatt.example/faehrseil?x=1']);
      expect(facts).toEqual({
        language: 'de',
        author: 'Ida Kern',
        siteName: 'Uferblatt',
        published: '2026-03-01T08:00:00+01:00',
        canonicalUrl: 'https://blatt.example/faehrseil',
      });
      for (const part of [
        'wird es *gefettet*, wie [die Technik](https://blatt.example/technik?a=1&b=%282%29) es',
        '## Wie es hält',
        '![Das Seil im Nebel, vom Turm aus gesehen](https://blatt.example/seil.jpg)',
        'Im November ist es kaum zu sehen.',
        '- Länge: 212 Meter\n  - davon frei: 180\n- Dicke: 32 Millimeter',
        '```js\nconst sag = (load) => load / 8;\n// keep   spaces\n```',
        '| Jahr | Durchhang |\n| --- | --- |\n| 2024 | 4,1 \\| 4,2 m |\n| 2025 wurde nicht gemessen |  |',
        '> Ein Seil reißt nie ohne Grund.',
        '<img src=x onerror=alert(1)> stays text.',
        'Im Schatten steht der Fahrplan',
        'Im Rahmen steht, dass die Fähre auch bei Nacht fährt',
      ]) {
        expect(pageText).toContain(part);
      }
      expect(pageText).not.toMatch(/versteckte|unsichtbare|Abo|Anzeige|script text|geheim/);
      await page.evaluate(() => {
        for (const script of document.querySelectorAll('head script:last-of-type'))
          if (script.textContent?.includes('recollect')) script.remove();
      });
      expect((await page.content()).length).toBeLessThanOrEqual(before.length + 1);
    });

    test('reads a selection as Markdown, in frames and fields too, but never in a password field', async () => {
      const page = await openPage(browser, 'https://blatt.example/faehrseil', fixture('article'));
      const select = async (script: string) => {
        await page.evaluate(`getSelection().removeAllRanges(); document.activeElement?.blur?.(); ${script}`);
        return (await read(page)).selection;
      };
      const over = (selector: string) => `getSelection().selectAllChildren(document.querySelector('${selector}'))`;
      expect(await select('')).toBeNull();
      expect(await select(over('article p'))).toContain(
        'wird es *gefettet*, wie [die Technik](https://blatt.example/technik',
      );
      expect(await select(over('pre code'))).toBe('```\nconst sag = (load) => load / 8;\n// keep   spaces\n```');
      const nested = `document.body.insertAdjacentHTML('beforeend', '<pre id="nested">\`\`\`js\\nlet a;\\n\`\`\`</pre>'); ${over('#nested')}`;
      expect(await select(nested)).toBe('````\n```js\nlet a;\n```\n````');
      const between = `const range = document.createRange(); range.setStartBefore(document.querySelector('blockquote')); range.setEndAfter(document.querySelector('.unseen')); getSelection().addRange(range)`;
      expect(await select(between)).not.toMatch(/versteckte|unsichtbare/);
      expect(
        await select(
          `document.querySelector('iframe').contentWindow.getSelection().selectAllChildren(document.querySelector('iframe').contentDocument.body)`,
        ),
      ).toContain('Im Rahmen steht');
      await page.evaluate(`document.querySelector('iframe').contentWindow.getSelection().removeAllRanges()`);
      expect(
        await select(
          `document.querySelector('#field').focus(); document.querySelector('#field').setSelectionRange(4, 11)`,
        ),
      ).toBe('Entwurf');
      expect(
        await select(`document.querySelector('#password').focus(); document.querySelector('#password').select()`),
      ).toBeNull();
      const { smart, pageText } = await read(page);
      expect([smart, pageText === null]).toEqual(['page', false]);
      await page.evaluate(over('blockquote'));
      expect((await read(page)).smart).toBe('selection');
    });

    test('ChatGPT: reads roles, order, code, tables, formulas and links, without buttons and tools', async () => {
      const page = await openPage(browser, 'https://chatgpt.com/c/aaa', fixture('chatgpt'));
      const { messages, title, sourceApp, smart, isStreaming } = await read(page);
      expect([title, sourceApp, smart, isStreaming]).toEqual([
        'Keeping a sourdough starter',
        'chatgpt',
        'conversation',
        false,
      ]);
      expect(messages?.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
      expect(messages?.[0]?.text).toBe('How do I feed a starter?\nIt smells of <b>acetone</b>.');
      expect(messages?.[1]?.text).toBe(
        [
          'Acetone means that it is **hungry**. Feed it 1:5:5, as [this guide](https://bread.example/feeding?utm_source=chatgpt.com) says:',
          '1. Keep 10 g.\n2. Add 50 g flour\n   - rye, or\n   - wheat\n3. Add 50 g water.',
          '```python\ndef feed(starter):\n    return starter * 11\n```',
          '| Hour | Height |\n| --- | --- |\n| 0 | 2 cm |\n| 6 | 5 cm |',
          'The growth is $2^n$.',
        ].join('\n\n'),
      );
      expect(messages?.[3]?.text).toBe('Let me look.\n\nOnce a week is enough.');
    });

    test('ChatGPT: leaves out and reports an unfinished answer, and reads a long conversation completely', async () => {
      const page = await openPage(browser, 'https://chatgpt.com/c/aaa', fixture('chatgpt'));
      await page.evaluate(() =>
        document.querySelector('form')?.insertAdjacentHTML('beforeend', '<button data-testid="stop-button"></button>'),
      );
      const streaming = await read(page);
      expect([streaming.isStreaming, streaming.messages?.length]).toEqual([true, 3]);
      await page.evaluate(() => {
        document.querySelector('[data-testid="stop-button"]')?.remove();
        const thread = document.querySelector('#thread > div');
        for (let turn = 5; turn <= 1_000; turn++) {
          const role = turn % 2 === 1 ? 'user' : 'assistant';
          thread?.insertAdjacentHTML(
            'beforeend',
            `<article data-testid="conversation-turn-${turn}"><div data-message-author-role="${role}"><div class="markdown"><p>Turn ${turn}</p></div></div></article>`,
          );
        }
      });
      const { messages } = await read(page);
      expect([messages?.length, messages?.[999]?.text]).toEqual([1_000, 'Turn 1000']);
    });

    test('Claude: reads roles, order, code and quotes, without thinking and dates', async () => {
      const page = await openPage(browser, 'https://claude.ai/chat/1', fixture('claude'));
      const { messages, title, sourceApp } = await read(page);
      expect([title, sourceApp]).toEqual(['Pruning an old pear tree', 'claude']);
      expect(messages).toEqual([
        { role: 'user', text: 'When should I prune a pear tree that nobody cut for years?\n\nIt is in clay.' },
        {
          role: 'assistant',
          text: [
            'In *late winter*, over three years:',
            '- first the dead wood\n- then what crosses',
            '```bash\nfor year in 1 2 3; do\n  prune --third\ndone\n```',
            '> Never more than a third of the crown.',
          ].join('\n\n'),
        },
        { role: 'user', text: 'And the water shoots?' },
        { role: 'assistant', text: 'Tear them off in June.' },
      ]);
      await page.evaluate(() =>
        [...document.querySelectorAll('[data-is-streaming]')].at(-1)?.setAttribute('data-is-streaming', 'true'),
      );
      const streaming = await read(page);
      expect([streaming.isStreaming, streaming.messages?.length]).toEqual([true, 3]);
    });

    test('OpenClaw: reads each bubble as a turn, only at the configured hosts', async () => {
      const page = await openPage(browser, 'http://localhost:18789/chat?session=garden', fixture('openclaw'));
      const { messages, title, sourceApp } = await read(page);
      expect([title, sourceApp]).toEqual(['OpenClaw: garden', 'openclaw']);
      expect(messages).toEqual([
        { role: 'user', text: 'Water the tomatoes when the soil is dry.' },
        { role: 'assistant', text: 'I made a rule:\n\n```yaml\nwhen: moisture < 0.3\nthen: water(200ml)\n```' },
        { role: 'assistant', text: 'It runs every half hour.' },
        { role: 'user', text: 'Good.' },
      ]);
      expect((await read(page, { openclawHosts: ['claw.example'] })).sourceApp).toBe('web');
      expect((await read(page, { openclawHosts: ['localhost:18789'] })).sourceApp).toBe('openclaw');
      expect((await read(page, { openclawHosts: ['localhost:18790'] })).sourceApp).toBe('web');
    });

    test('treats an unknown chat, and a page that looks like ChatGPT, as a conversation from the web', async () => {
      const page = await openPage(browser, 'https://chat.example/1', fixture('generic-chat'));
      const { messages, sourceApp, smart } = await read(page);
      expect([sourceApp, smart]).toEqual(['web', 'conversation']);
      expect(messages?.map(({ role, text }) => [role, text.slice(0, 12)])).toEqual([
        ['user', expect.stringContaining('What floats?')],
        ['assistant', 'Wood, `cork`'],
        ['user', 'And stones?'],
        ['assistant', 'Pumice does,'],
      ]);
      // A surface on its own host is recognised even if the structure of its pages is unknown.
      const rebuilt = await read(await openPage(browser, 'https://claude.ai/chat/9', fixture('generic-chat')));
      expect([rebuilt.sourceApp, rebuilt.messages?.length]).toEqual(['claude', 4]);
      const imitation = await openPage(browser, 'https://chatgpt.com.example/c/aaa', fixture('chatgpt'));
      expect((await read(imitation)).sourceApp).toBe('web');
    });

    test('reads pages without text, without an article, and with megabytes of text', { tags: 'long' }, async () => {
      const of = async (html: string) => read(await openPage(browser, 'https://page.example/', html));
      expect(await of('<title>x</title>')).toMatchObject({ smart: null, pageText: null });
      expect((await of('<p>Three short words</p>')).pageText).toBe('Three short words');
      expect((await of('<ul><li><a href="/a">One link</a><li><a href="/b">Another link</a></ul>')).pageText).toContain(
        'Another link',
      );
      const paragraph = `<p>${'A sentence of eight words stands here again. '.repeat(20)}</p>`;
      const long = await of(`<article>${paragraph.repeat(3_000)}</article>`);
      expect(long.pageText?.length).toBeGreaterThan(2_500_000);
      expect(long.extractor).toBe('text');
    });

    test('keeps table columns under spans, lines of code, list numbers and exponents in formulas', async () => {
      const of = async (html: string) =>
        (
          await read(
            await openPage(
              browser,
              'https://page.example/',
              `<article><p>A paragraph before it all.</p>${html}</article>`,
            ),
          )
        ).pageText;
      const rows =
        '<tr><th>Year<th>City<th>People</tr><tr><td rowspan="2">1990<td>Oslo<td>450</tr><tr><td>Bergen<td>210</tr>';
      expect(await of(`<table>${rows}</table>`)).toContain('| 1990 | Oslo | 450 |\n|  | Bergen | 210 |');
      expect(
        await of('<table><caption>Cap</caption><tr><td>one thing</td></tr><tr><td>another</td></tr></table>'),
      ).toMatch(/Cap\s+one thing\s+another/);
      const code = (inner: string) =>
        `<ol><li><p>First.</p><pre><code class="language-python">${inner}</code></pre></li></ol>`;
      expect(await of(code('a = 1\n\nb = 2'))).toContain('1. First.\n\n   ```python\n   a = 1\n\n   b = 2\n   ```');
      const lines = '<div>a = 1</div><div><br></div><div><br></div><div>b = 2</div>';
      const turn = `<div data-testid="user-message">?</div><div class="font-claude-response">${code(lines)}</div>`;
      const talk = await read(await openPage(browser, 'https://claude.ai/chat/3', turn));
      expect(talk.messages?.[1]?.text).toBe('1. First.\n\n   ```python\n   a = 1\n\n\n   b = 2\n   ```');
      expect(await of('<ul><li><p>First part.</p><p>2024 was the year.</p></li></ul>')).toContain(
        '- First part.\n\n  2024 was',
      );
      expect(
        await of('<p>It is <math><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></math>.</p>'),
      ).toContain('$E=mc^{2}$');
    });

    test('reads formulas that scripts have rendered, with their TeX or else their letters', async () => {
      const root = '<math><mi>r</mi><mo>=</mo><msqrt><mi>s</mi></msqrt></math>';
      const glyphs =
        '<mjx-math aria-hidden="true"><mjx-mi><mjx-c class="mjx-c1D45F TEX-I"></mjx-c></mjx-mi></mjx-math>';
      const script = (type: string) => `<script type="${type}">r=\\sqrt{s}</script>`;
      const lines = [
        `<mjx-container jax="CHTML">${glyphs}<mjx-assistive-mml>${root}</mjx-assistive-mml></mjx-container>`,
        `<span class="MathJax_Preview" style="display: none"></span><span class="MathJax"><nobr><span class="math">r=√s</span></nobr></span>${script('math/tex')}`,
        '<mjx-container jax="SVG"><svg><g data-mml-node="math" data-latex="r=\\sqrt{s}"><g data-mml-node="mi" data-latex="r"></g></g></svg></mjx-container>',
        '<span class="katex"><span class="katex-html" aria-hidden="true"><span class="mord">r</span><span class="mrel">=s</span></span></span>',
        '<math-renderer style="display: inline-block">$r=\\\\sqrt{s}$</math-renderer>',
      ].map((formula) => `<p>Every radius ${formula} counts.</p>`);
      const style =
        '<style>mjx-assistive-mml { position: absolute; clip: rect(1px, 1px, 1px, 1px) } .x { display: none }</style>';
      const block = `<div class="MathJax_Display"><span class="MathJax">r=√s</span></div>${script('math/tex; mode=display')}`;
      const html = `${style}<article><p>A paragraph before it all.</p>${lines.join('')}${block}<p class="x">Not this ${script('math/tex')}.</p></article>`;
      const page = await openPage(browser, 'https://page.example/', html);
      const pageText = (await read(page)).pageText ?? '';
      expect(pageText.match(/^Every radius .*$/gm)).toEqual([
        'Every radius $r=\\sqrt{s}$ counts.',
        'Every radius $r=\\sqrt{s}$ counts.',
        'Every radius $r=\\sqrt{s}$ counts.',
        'Every radius r=s counts.',
        'Every radius $r=\\\\sqrt{s}$ counts.',
      ]);
      expect(pageText).toContain('counts.\n\n$$r=\\sqrt{s}$$');
      expect(pageText).not.toContain('Not this');
      await page.evaluate(() => getSelection()?.selectAllChildren(document.querySelectorAll('p')[2] as Element));
      expect((await read(page)).selection).toBe('Every radius $r=\\sqrt{s}$ counts.');
    });

    test('keeps closed answers with their questions, and leaves out elements that nothing opens', async () => {
      const style = `<style>.faq dd, .panel, .off { display: none } .fold { visibility: hidden; height: 0 }
        details:not([open]) > div { display: none }</style>`;
      const parts = [
        '<dl class="faq"><dt>How long do peas keep?</dt><dd>Three years in a drawer.</dd></dl>',
        '<h3><button aria-expanded="false" aria-controls="a1">How long do beans keep?</button></h3><div class="fold" id="a1"><p>Four <b>years</b> in a tin.</p></div>',
        '<div role="tablist"><button role="tab" aria-controls="t1">Sow</button><button role="tab" aria-controls="t2">Reap</button></div><div role="tabpanel" id="t1"><p>Sow in April.</p></div><div role="tabpanel" id="t2" class="panel"><p>Reap in July.</p></div>',
        '<details><summary>How long does dill keep?</summary><div>One year, at most.</div></details>',
        '<h3>How long does rye keep?</h3><div hidden="until-found"><p>Two years in a sack.</p></div>',
        '<p class="off">SECRET words for no one.</p>',
        '<button aria-controls="m1">More</button><div id="m1" role="menu" class="off">SECRET menu.</div>',
      ];
      const html = `${style}<article><p>A paragraph on seeds stands before all of the questions.</p>${parts.join('')}</article>`;
      const { pageText } = await read(await openPage(browser, 'https://page.example/', html));
      for (const kept of [
        /How long do peas keep\?\s+Three years in a drawer\./,
        /How long do beans keep\?\s+Four \*\*years\*\* in a tin\./,
        /Sow in April\.\s+Reap in July\./,
        /How long does dill keep\?\s+One year, at most\./,
        /How long does rye keep\?\s+Two years in a sack\./,
      ])
        expect(pageText).toMatch(kept);
      expect(pageText).not.toContain('SECRET');
    });

    test('separates words as the layout does, but not the initial of a word', async () => {
      const facts =
        '<ul><li style="display:flex"><span>Calories: 310</span><span>Protein: 18 g</span></li><li>Salt: 1 g</li></ul>';
      const page = await openPage(
        browser,
        'https://blatt.example/linsen',
        `<article><h1>Linsen</h1><p><span style="float:left;font-size:3em">L</span>insen kochen eine halbe Stunde, und dann
        kommt die Zitrone dazu, ein <b>Löffel</b>voll.</p>${facts}<p>Sie werden heiß gegessen, mit Brot und etwas Salz.</p>
        <pre><code><span style="display:block">heat()</span></code></pre></article>`,
      );
      const { pageText } = await read(page);
      expect(pageText).toContain('Calories: 310 Protein: 18 g');
      expect(pageText).toMatch(/^Linsen kochen eine halbe Stunde/m);
      expect(pageText).toContain('**Löffel**voll');
      expect(pageText).toContain('```\nheat()\n```');
    });

    test('reads a form whose fields are named like DOM properties', async () => {
      const fields = [
        'children',
        'childNodes',
        'nodeName',
        'attributes',
        'getAttribute',
        'textContent',
        'shadowRoot',
        'style',
      ]
        .map((name) => `<input name="${name}">`)
        .join('');
      const html = `<article><p>Before the form there is a paragraph.</p><form style="visibility:hidden">${fields}</form><form>${fields}<p>Inside of it there is one, too.</p></form></article>`;
      expect((await read(await openPage(browser, 'https://page.example/', html))).pageText).toContain('Inside of it');
    });

    test('leaves hidden text out of a selection, and keeps the structure of partial lists and tables', async () => {
      const html = `<style>.x { display: none }</style><div id="all"><p>Seen text with a <a href="/l">link</a> in it.</p>
      <p style="display: none">SECRET instructions to an assistant.</p><p class="x">SECRET too.</p><p>The end.</p></div>
      <ol><li id="a">one</li><li id="b">two</li><li id="c">three</li></ol>
      <table><tr><td>h1<td>h2</tr><tr id="r1"><td>a<td>b</tr><tr id="r2"><td>c<td>d</tr></table>
      <div id="pre" style="white-space: pre">a = 1\n  b = 2</div>`;
      const page = await openPage(browser, 'https://page.example/', html);
      const between = async (from: string, to: string) => {
        await page.evaluate(
          ([start = '', end = '']) => {
            const range = document.createRange();
            range.setStart(document.querySelector(start)?.firstChild ?? document.body, 0);
            const last = document.querySelector(end) ?? document.body;
            range.setEnd(last, last.childNodes.length);
            getSelection()?.removeAllRanges();
            getSelection()?.addRange(range);
          },
          [from, to],
        );
        return (await read(page)).selection;
      };
      expect(await between('#all', '#all')).toBe('Seen text with a [link](https://page.example/l) in it.\n\nThe end.');
      expect(await between('#b', '#c')).toBe('2. two\n3. three');
      expect(await between('#r1', '#r2')).toBe('| a | b |\n| --- | --- |\n| c | d |');
      expect(await between('#pre', '#pre')).toBe('a = 1\n  b = 2');
    });

    test('keeps the line breaks of user turns in ChatGPT and Claude', async () => {
      const typed = 'def f(x):\n  return x * 2  # snake_case *args';
      const claude = `<div data-testid="user-message"><p class="whitespace-pre-wrap">${typed}</p></div><div class="font-claude-response"><p>Yes.</p></div>`;
      const chatgpt = `<div data-message-author-role="user"><div class="whitespace-pre-wrap">${typed} <a href="https://a.example">https://a.example</a></div></div><div data-message-author-role="assistant"><div class="markdown"><p>Yes.</p></div></div>`;
      expect((await read(await openPage(browser, 'https://claude.ai/chat/2', claude))).messages?.[0]?.text).toBe(typed);
      expect((await read(await openPage(browser, 'https://chatgpt.com/c/2', chatgpt))).messages?.[0]?.text).toBe(
        `${typed} https://a.example`,
      );
    });
  },
);
