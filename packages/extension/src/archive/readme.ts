import type { SetupAnswer } from '@recollect/contract';
import type { Browser } from './manifest.js';

const STEPS: Readonly<Record<Browser, string>> = {
  chromium: `Chrome, Chromium, Edge, Brave, Opera, Vivaldi:

1. Unpack this archive into its own folder, and keep that folder.
2. Open chrome://extensions and switch on "Developer mode".
3. Press "Load unpacked" and choose the folder.
`,
  firefox: `Firefox:

1. Open about:debugging and "This Firefox".
2. Press "Load Temporary Add-on" and choose this archive. Firefox removes it when Firefox closes.
3. Create a key with "recollect keys create", and enter it when the extension asks for one.
`,
};

/** The README in the archive. */
export function createReadme({ baseUrl, docsUrl }: SetupAnswer['connection'], browser: Browser): string {
  return `# Recollect Everywhere

This extension saves pages, selections and conversations to your Recollect at ${baseUrl}, and searches what you saved.
It was built for that address: it has permission for no other address, and contains no key.

${STEPS[browser]}
Then press the toolbar button on any page. Documentation: ${docsUrl}
`;
}
