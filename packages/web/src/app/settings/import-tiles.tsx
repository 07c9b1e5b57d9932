import { Button, Icon, type IconName } from '@recollect/ui';
import { useState } from 'preact/hooks';
import { addressOf } from '../api/base-path.js';

interface Product {
  name: string;
  icon: IconName;
  /** How its user gets the export. */
  how: string;
  /** What becomes of the export. */
  result: string;
}

interface Props {
  isBusy: boolean;
  /** Lets the user choose a file, whose preview is shown before it is imported. */
  onChoose: () => void;
}

/** A tile for each product, which shows how to export from it, and imports the file. */
export function ImportTiles({ isBusy, onChoose }: Props) {
  const [chosen, setChosen] = useState<Product | null>(null);
  return (
    <>
      <h2 id="products">Import from</h2>
      <ul aria-labelledby="products" class="tiles">
        {PRODUCTS.map((product) => (
          <li key={product.name}>
            <button
              type="button"
              class="tile"
              aria-expanded={chosen === product}
              aria-controls={HOW}
              onClick={() => setChosen(chosen === product ? null : product)}
            >
              <Icon name={product.icon} />
              {product.name}
            </button>
          </li>
        ))}
      </ul>
      <div id={HOW} aria-live="polite">
        {chosen !== null && (
          <div class="settings-card how-to-export">
            <h3>How to export from {chosen.name}</h3>
            <p>{chosen.how}</p>
            <p class="soft">{chosen.result}</p>
            <p class="button-row">
              <Button icon="upload" disabled={isBusy} onClick={onChoose}>
                Choose the file
              </Button>
              <span class="soft">You see what it contains before anything is imported.</span>
            </p>
          </div>
        )}
      </div>
      <p class="soft">
        <a href={addressOf('/docs/importing')}>All products and formats</a>
      </p>
    </>
  );
}

const HOW = 'how-to-export';

/** The products whose exports are asked for most. The documentation has all of them. */
const PRODUCTS: readonly Product[] = [
  {
    name: 'Browser bookmarks',
    icon: 'bookmark',
    how: 'Chrome, Edge and Brave: Bookmark manager, ⋮, Export bookmarks. Firefox: Bookmarks, Manage bookmarks, Import and Backup, Export. Safari: File, Export, Bookmarks.',
    result: 'Links with their folders as tags. You can fetch their pages below.',
  },
  {
    name: 'ChatGPT',
    icon: 'chat',
    how: 'Settings, Data controls, Export data. A ZIP file arrives by mail; choose it as it came.',
    result: 'A memory for each conversation. A later export adds the new turns.',
  },
  {
    name: 'Claude',
    icon: 'chat',
    how: 'Settings, Privacy, Export data. A ZIP file arrives by mail; choose it as it came.',
    result: 'Conversations with artifacts and attached texts, memories, and the documents of projects.',
  },
  {
    name: 'Gemini',
    icon: 'chat',
    how: 'On takeout.google.com, choose My Activity, Gemini Apps, in the format JSON.',
    result: 'A memory for each question with its answer.',
  },
  {
    name: 'Pocket',
    icon: 'inbox',
    how: 'The ZIP file that Pocket sent in 2025, or ril_export.html.',
    result: 'Links with tags, time and what you read. You can fetch their pages below.',
  },
  {
    name: 'Instapaper',
    icon: 'inbox',
    how: 'Settings, Export, as CSV or HTML.',
    result: 'Links with folders, stars and what you read. You can fetch their pages below.',
  },
  {
    name: 'Raindrop',
    icon: 'inbox',
    how: 'Settings, Export, or Export of one collection, as CSV.',
    result: 'Links with folders, tags, notes, highlights and favourites.',
  },
  {
    name: 'Readwise',
    icon: 'highlight',
    how: 'Reader: Account settings, Export, as CSV. Highlights: Export highlights, as CSV.',
    result: 'Links with tags and what you read, and a memory for each highlight.',
  },
  {
    name: 'Matter',
    icon: 'inbox',
    how: 'My Account, Export Data. A ZIP file arrives by mail; choose it as it came.',
    result: 'Pages with their texts, tags and favourites, and your highlights.',
  },
  {
    name: 'Omnivore',
    icon: 'inbox',
    how: 'The ZIP file that Omnivore sent in 2024.',
    result: 'Pages with their texts, labels, highlights and what you read.',
  },
  {
    name: 'Obsidian, Logseq, Bear',
    icon: 'note',
    how: 'Make a ZIP file of the folder with your notes. The command recollect import reads the folder itself.',
    result: 'A memory for each note, with tags, the links between notes and the date of its name.',
  },
  {
    name: 'Notion',
    icon: 'note',
    how: 'Settings, Export, “Markdown & CSV”. Choose the ZIP file as it came.',
    result: 'A memory for each page, with the tags and the address of its properties.',
  },
  {
    name: 'Evernote',
    icon: 'note',
    how: 'Right-click a notebook, Export, in the format ENEX.',
    result: 'Notes with tasks, tags, address and times.',
  },
  {
    name: 'Google Keep',
    icon: 'note',
    how: 'On takeout.google.com, choose Keep. Choose the ZIP file as it came.',
    result: 'Notes and lists with labels, pins and times.',
  },
  {
    name: 'Joplin',
    icon: 'note',
    how: 'File, Export all, as JEX.',
    result: 'Notes with notebooks, tags, tasks, address and times.',
  },
  {
    name: 'Kindle',
    icon: 'highlight',
    how: 'Connect the device, and choose documents/My Clippings.txt.',
    result: 'A memory for each highlight, with your note at its place.',
  },
  {
    name: 'wallabag',
    icon: 'inbox',
    how: 'All entries, Export, JSON.',
    result: 'Pages with their texts, tags, annotations and stars.',
  },
  {
    name: 'Karakeep',
    icon: 'inbox',
    how: 'Settings, Import / Export, Export Links and Notes.',
    result: 'Links, notes, tags and lists.',
  },
  {
    name: 'Linkwarden',
    icon: 'inbox',
    how: 'Settings, Account, Export Data.',
    result: 'Links with collections and tags.',
  },
  {
    name: 'OneTab and lists',
    icon: 'link',
    how: 'OneTab: Export / Import URLs; save the text as a .txt file. Any text file with one address in each line works.',
    result: 'A link for each address.',
  },
  {
    name: 'Recollect',
    icon: 'backup',
    how: 'Settings, Import and export, Download an export, in the other Recollect.',
    result: 'Everything, with the same ids. Importing it twice adds nothing.',
  },
];
