/** The pages in display order, by their path in docs/ without the file extension. */
export const contents = [
  {
    section: 'Getting started',
    pages: [
      'getting-started/web-app',
      'getting-started/extension',
      'getting-started/bookmarklet',
      'getting-started/phone',
      'getting-started/mcp',
      'getting-started/terminal',
      'getting-started/http',
    ],
  },
  {
    section: 'Running it',
    pages: ['plugins', 'configuration', 'languages', 'self-hosting', 'teams', 'scaling', 'security', 'reliability'],
  },
  {
    section: 'Reference',
    pages: ['commands', 'importing', 'interface', 'operations', 'exporting', 'packages'],
  },
  {
    section: 'How it works',
    pages: ['architecture', 'decisions/README', 'libraries', 'retrieval', 'performance'],
  },
  {
    section: 'How to add',
    pages: [
      'contributing/importer',
      'contributing/mcp-tool',
      'contributing/operation',
      'contributing/web-page',
      'contributing/release',
      'contributing/storage-dialect',
      'contributing/plugin',
    ],
  },
] as const;

/** Folders of docs/ whose other pages are reached through a page above. */
export const unlisted = ['decisions'] as const;
