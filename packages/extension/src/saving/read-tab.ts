import { limits } from '@recollect/contract/limits';
import type { Reading, ReadOptions } from '../reading.js';
import type { SetupFile } from '../setup-file.js';
import { isOwnPage } from './own-page.js';
import { inChosenScope } from './page-scope.js';
import type { Status } from './status.js';

/**
 * The content of a tab, or a message that says why it cannot be saved. The tone is quiet for a page that has nothing to
 * save, and bad if reading failed.
 */
export type TabReading = { reading: Reading } | TabProblem;

export interface TabProblem {
  problem: string;
  tone: Extract<Status['tone'], 'quiet' | 'bad'>;
}

const nothing = (problem: string): TabProblem => ({ problem, tone: 'quiet' });
const failure = (problem: string): TabProblem => ({ problem, tone: 'bad' });

const NO_PAGE = 'There is no page to save here';
const UNREADABLE_ADDRESSES: readonly [RegExp, string][] = [
  [
    /^https:\/\/(chromewebstore\.google\.com|chrome\.google\.com\/webstore|addons\.mozilla\.org|microsoftedge\.microsoft\.com\/addons)/,
    `${NO_PAGE}: browsers do not let extensions read their web store.`,
  ],
  [
    /^(chrome-extension|moz-extension):/,
    `${NO_PAGE}: this page belongs to an extension. Open this window from the toolbar while a web page is shown.`,
  ],
  [/^file:/, `${NO_PAGE}: this is a file on your computer. Save it with the command recollect capture.`],
  [/^(?!https?:)/, 'Browser pages can’t be saved.'],
];
const PROBLEMS = {
  pdf: `${NO_PAGE}: this is a PDF that extensions cannot read. Save it with recollect capture and its address, or drop the file into Recollect.`,
  'large-pdf': `${NO_PAGE}: this is a PDF of over ${limits.capture.pdfBytes / 1_000_000} MB.`,
  'not-a-page': `${NO_PAGE}: this is an image, audio or video file.`,
};
const CHANGED = 'The page changed while it was being read. Wait until it has loaded, then open this window again.';

/** Reads a tab, by default the active one. Never throws. */
export async function readTab(
  setup: SetupFile | null,
  { tab: given, ...options }: Pick<ReadOptions, 'turnsOnly'> & { tab?: chrome.tabs.Tab | undefined } = {},
): Promise<TabReading> {
  // A popup has no current tab. If there is one, this page is open as an ordinary tab.
  if ((await chrome.tabs.getCurrent()) !== undefined) {
    return nothing(`${NO_PAGE}: open this window from the toolbar while a web page is shown.`);
  }
  const [tab] = given === undefined ? await chrome.tabs.query({ active: true, currentWindow: true }) : [given];
  if (tab?.id === undefined) return nothing(`${NO_PAGE}: no tab is open.`);
  // Without permission for a page, its address is also hidden.
  const known =
    tab.url === undefined ? undefined : UNREADABLE_ADDRESSES.find(([pattern]) => pattern.test(tab.url ?? ''));
  if (known !== undefined) return nothing(known[1]);
  if (isOwnPage(tab.url, setup)) return nothing(`${NO_PAGE}: this is Recollect, whose memories are already saved.`);
  try {
    const reading = await inject(tab.id, { openclawHosts: setup?.surfaces.openclaw ?? [], ...options });
    if (reading.problem !== null) return nothing(PROBLEMS[reading.problem]);
    if (reading.smart === null && reading.isStreaming) {
      return nothing('The first answer is still being written. Open this window again when it is complete.');
    }
    if (reading.smart === null) return nothing(`${NO_PAGE}: this page has no text.`);
    const { url } = await chrome.tabs.get(tab.id);
    return url !== undefined && withoutFragment(url) !== withoutFragment(reading.url)
      ? failure(CHANGED)
      : { reading: await inChosenScope(reading) };
  } catch (error) {
    return explain(String(error));
  }
}

/** Injects the content script into the tab and reads the page with it. */
async function inject(tabId: number, options: ReadOptions): Promise<Reading> {
  await chrome.scripting.executeScript({ target: { tabId }, files: ['content.js'] });
  const reading = await ask(tabId, (given: ReadOptions) => recollectReadPage(given), options);
  if (reading.problem !== 'pdf') return reading;
  const found = await ask(tabId, (address: string) => recollectReadPdf(address), reading.url);
  return 'pdf' in found ? { ...reading, pdf: found.pdf, smart: 'page', problem: null } : { ...reading, ...found };
}

/** Runs a function in the tab, with the definitions of the content script. */
async function ask<Given, Answer>(
  tabId: number,
  func: (given: Given) => Answer,
  given: Given,
): Promise<Awaited<Answer>> {
  const [answer] = await chrome.scripting.executeScript({ target: { tabId }, func, args: [given] });
  if (answer?.result == null) throw new Error('The page gave no answer.');
  return answer.result as Awaited<Answer>;
}

function explain(error: string): TabProblem {
  if (/removed|closed|No tab|navigat|context|no answer/i.test(error)) return failure(CHANGED);
  if (/showing error page/i.test(error)) return nothing(`${NO_PAGE}: the page did not load.`);
  if (/chrome:\/\/|extensions gallery|webstore|about:|edge:\/\/|cannot be scripted|chrome-extension/i.test(error)) {
    return nothing('Browser pages can’t be saved.');
  }
  if (/permission|access/i.test(error)) {
    return nothing(
      `${NO_PAGE}: it did not load, or belongs to the browser. If it is a web page, press the toolbar button while it is shown.`,
    );
  }
  return failure(`The page could not be read (${error.replace(/^Error: /, '')}). Reload it and try again.`);
}

function withoutFragment(url: string): string {
  return url.replace(/#.*$/s, '');
}
