import Type from 'typebox';
import { MemoryParameters } from '../memory.js';
import { routes } from '../routes.js';
import type { Operation } from './operation.js';

const PageParameters = Type.Object({ page: Type.String() });

type WebPage =
  | 'home'
  | 'memoryPage'
  | 'everythingPage'
  | 'highlightsPage'
  | 'reviewPage'
  | 'sharedPage'
  | 'sharedCollectionPage'
  | 'sharedMemoryPage'
  | 'tagsPage'
  | 'trashPage'
  | 'settingsPage'
  | 'settingsSectionPage';

/** A page of the web app. All have the same content, which finds its data by the address. */
function webPage<Id extends WebPage>(id: Id, summary: string) {
  return {
    ...routes[id],
    scope: 'public',
    summary,
    produces: 'text/html',
    allowsCrossSiteNavigation: true,
    answers: { 200: Type.Unsafe<Uint8Array>(Type.String()) },
    problems: [],
  } as const satisfies Operation;
}

/** The documentation, and the pages and files of the web app. */
export const pageOperations = {
  openapi: {
    ...routes.openapi,
    scope: 'public',
    summary: 'Returns this interface as an OpenAPI 3.1 document.',
    answers: { 200: Type.Record(Type.String(), Type.Unknown()) },
    problems: [],
  },
  docs: {
    ...routes.docs,
    scope: 'public',
    summary: 'Returns the overview page of the documentation.',
    produces: 'text/html',
    answers: { 200: Type.String() },
    problems: [],
  },
  exportSchema: {
    ...routes.exportSchema,
    scope: 'public',
    summary: 'Returns the JSON Schema of a line of an export.',
    produces: 'application/schema+json',
    answers: { 200: Type.Object({}, { additionalProperties: true }) },
    problems: [],
  },
  docsPage: {
    ...routes.docsPage,
    scope: 'public',
    summary: 'Returns one page of the documentation.',
    parameters: PageParameters,
    produces: 'text/html',
    answers: { 200: Type.String() },
    problems: ['NOT_FOUND'],
  },
  docsFolderPage: {
    ...routes.docsFolderPage,
    scope: 'public',
    summary: 'Returns one page of a folder of the documentation.',
    parameters: Type.Object({ folder: Type.String(), page: Type.String() }),
    produces: 'text/html',
    answers: { 200: Type.String() },
    problems: ['NOT_FOUND'],
  },
  home: webPage('home', 'Returns the web app: its home page, and search.'),
  memoryPage: {
    ...webPage('memoryPage', 'Returns the web app at one memory. With images=show, its policy admits remote images.'),
    parameters: MemoryParameters,
    query: Type.Object({ images: Type.Optional(Type.String()) }),
  },
  everythingPage: webPage('everythingPage', 'Returns the web app at the list of all memories.'),
  highlightsPage: webPage('highlightsPage', 'Returns the web app at the highlights.'),
  reviewPage: webPage('reviewPage', 'Returns the web app at the review of highlights.'),
  sharedPage: webPage('sharedPage', 'Returns the web app at what others share.'),
  sharedCollectionPage: {
    ...webPage('sharedCollectionPage', 'Returns the web app at one share.'),
    parameters: MemoryParameters,
  },
  sharedMemoryPage: {
    ...webPage('sharedMemoryPage', 'Returns the web app at one memory of a share.'),
    parameters: Type.Object({ id: Type.String(), personId: Type.String(), memoryId: Type.String() }),
  },
  tagsPage: webPage('tagsPage', 'Returns the web app at the tags.'),
  trashPage: webPage('trashPage', 'Returns the web app at the trash.'),
  settingsPage: webPage('settingsPage', 'Returns the web app at the settings.'),
  settingsSectionPage: {
    ...webPage('settingsSectionPage', 'Returns the web app at one page of the settings.'),
    parameters: Type.Object({ section: Type.String() }),
    problems: ['NOT_FOUND'],
  },
  webAsset: {
    ...routes.webAsset,
    scope: 'public',
    summary: 'Returns a script, style or icon of the web app.',
    parameters: Type.Object({ file: Type.String() }),
    produces: '*/*',
    answers: { 200: Type.Unsafe<Uint8Array>(Type.String({ format: 'binary' })) },
    problems: ['NOT_FOUND'],
  },
  serviceWorker: {
    ...routes.serviceWorker,
    scope: 'public',
    summary: 'Returns the script that shows the web app while the server cannot be reached.',
    produces: 'text/javascript',
    answers: { 200: Type.Unsafe<Uint8Array>(Type.String()) },
    problems: [],
  },
  webManifest: {
    ...routes.webManifest,
    scope: 'public',
    summary: 'Returns the manifest with which browsers install the web app.',
    produces: 'application/manifest+json',
    answers: { 200: Type.Unsafe<Uint8Array>(Type.String()) },
    problems: [],
  },
} as const satisfies Record<string, Operation>;
