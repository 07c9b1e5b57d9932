import type { SetupAnswer } from '@recollect/contract';

/** What a person reads who opens the archive. */
export function createReadme({ baseUrl, docsUrl }: SetupAnswer['connection']): string {
  return `# Recollect Everywhere

This extension saves the page, the selection or the conversation to your Recollect at ${baseUrl}, and finds it again.
It was made for that address: it may reach no other, and holds no key.

Chrome, Chromium, Edge, Brave, Opera, Vivaldi:

1. Unpack this archive into a folder that stays.
2. Open chrome://extensions and switch on "Developer mode".
3. Press "Load unpacked" and choose the folder.

Then press the toolbar button on any page. All of it, and Firefox: ${docsUrl}
`;
}
