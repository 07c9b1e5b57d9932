import { loadPage } from '../api/client.js';

/** Saves files as memories. Few visits save files, so the code for it is loaded then. */
export async function saveFiles(files: readonly File[]): Promise<void> {
  const code = await loadPage(() => import('./save-files.js'));
  await code.saveFiles(files);
}

/** Lets the user choose files to save, as an alternative to dropping them. */
export function chooseFiles(): void {
  const field = document.createElement('input');
  field.type = 'file';
  field.multiple = true;
  field.addEventListener('change', () => void saveFiles([...(field.files ?? [])]));
  field.click();
}
