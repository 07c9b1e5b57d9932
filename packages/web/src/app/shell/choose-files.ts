import { saveFiles } from './save-files.js';

/** Lets the user choose files to save, as an alternative to dropping them. */
export function chooseFiles(): void {
  const field = document.createElement('input');
  field.type = 'file';
  field.multiple = true;
  field.addEventListener('change', () => void saveFiles([...(field.files ?? [])]));
  field.click();
}
