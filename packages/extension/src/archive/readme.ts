import type { SetupAnswer } from '@recollect/contract';
import type { Browser } from './manifest.js';

const STEPS: Readonly<Record<Browser, string>> = {
  chromium: `Chrome, Chromium, Edge, Brave, Opera, Vivaldi:

1. Unpack this archive into a folder of its own that stays.
2. Open chrome://extensions and switch on "Developer mode".
3. Press "Load unpacked" and choose the folder.
`,
  firefox: `Firefox:

1. Open about:debugging and "This Firefox".
2. Press "Load Temporary Add-on" and choose this archive. Firefox forgets it when it ends.
3. Enter a key, which "recollect keys create" makes, when the window asks for it.
`,
};

/** What a person reads who opens the archive. */
export function createReadme({ baseUrl, docsUrl }: SetupAnswer['connection'], browser: Browser): string {
  return `# Recollect Everywhere

This extension saves the page, the selection or the conversation to your Recollect at ${baseUrl}, and finds it again.
It was made for that address: it may reach no other, and holds no key.

${STEPS[browser]}
Then press the toolbar button on any page. All of it: ${docsUrl}
`;
}
