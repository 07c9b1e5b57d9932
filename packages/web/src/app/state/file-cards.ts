import { signal } from '@preact/signals';

/** A file that is being saved. */
export interface FileCard {
  id: number;
  name: string;
  state: 'waiting' | 'working' | 'saved' | 'known' | 'failed';
  /** The share that was sent; null if that is not known. */
  sent: number | null;
}

/** Milliseconds that the cards stay after the last file. */
const SHOWN_FOR = 6_000;

/** The files that were dropped or chosen last. */
export const fileCards = signal<readonly FileCard[]>([]);

let lastId = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a card for each file. Returns their ids. */
export function showFiles(files: readonly File[]): number[] {
  clearTimeout(timer);
  const cards = files.map(({ name }): FileCard => {
    lastId += 1;
    return { id: lastId, name, state: 'waiting', sent: null };
  });
  fileCards.value = [...fileCards.peek().filter(({ state }) => isOpen(state)), ...cards];
  return cards.map(({ id }) => id);
}

/** Changes the card of a file. */
export function updateFile(id: number, change: Partial<Pick<FileCard, 'state' | 'sent'>>): void {
  fileCards.value = fileCards.peek().map((card) => (card.id === id ? { ...card, ...change } : card));
  if (fileCards.peek().some(({ state }) => isOpen(state))) return;
  clearTimeout(timer);
  timer = setTimeout(() => {
    fileCards.value = [];
  }, SHOWN_FOR);
}

const isOpen = (state: FileCard['state']) => state === 'waiting' || state === 'working';
