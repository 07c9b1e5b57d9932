import { useCallback, useRef, useState } from 'preact/hooks';
import type { Pictures } from '../pictures/pictures.js';
import { picturesSoon } from '../pictures/pictures-soon.js';
import { readPictures } from '../saving/read-pictures.js';

/** The pictures of the page, which are made while the user looks at the preview. */
export function usePictures() {
  const [pictures, setPictures] = useState<Pictures | null>(null);
  const made = useRef<Promise<Pictures>>(null);

  return {
    /** Null until they are made. */
    pictures,
    makePictures: useCallback(() => {
      made.current = readPictures();
      void made.current.then(setPictures);
    }, []),
    /** Saves the page without its picture. */
    leaveOutPicture: useCallback(() => setPictures((before) => ({ ...before, picture: null })), []),
    /** Waits briefly for the pictures. */
    awaitPictures: useCallback(() => picturesSoon(made.current ?? Promise.resolve({})), []),
  };
}
