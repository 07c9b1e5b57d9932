import { encodePicture } from '../pictures/encode.js';
import type { Image, PictureOptions, Pictures } from '../pictures/pictures.js';

/**
 * Makes the pictures of a tab that has been read, by default of the active one. Without those that cannot be made.
 * Never throws.
 */
export async function readPictures(given?: chrome.tabs.Tab): Promise<Pictures> {
  const { favicon, picture } = await read(given).catch((): Pictures => ({}));
  return { ...(picture == null ? {} : { picture }), ...(favicon == null ? {} : { favicon }) };
}

async function read(given: chrome.tabs.Tab | undefined): Promise<Pictures> {
  const [tab] = given === undefined ? await chrome.tabs.query({ active: true, currentWindow: true }) : [given];
  if (tab?.id === undefined) return {};
  // The window may show another tab by the time that the page has answered.
  const crop = cropOfTab(tab.windowId).catch(() => null);
  const [answer] = await chrome.scripting.executeScript({
    target: { tabId: tab.id },
    func: (options: PictureOptions) => recollectReadPictures(options),
    args: [{ iconUrl: tab.favIconUrl || null }],
  });
  const pictures = answer?.result ?? {};
  return { favicon: pictures.favicon, picture: pictures.picture ?? (await crop) };
}

/** Height of the crop, as a share of its width. */
const HEIGHT_RATIO = 10 / 16;

/** The upper part of the visible area of a window's active tab, which `activeTab` permits. */
async function cropOfTab(windowId: number): Promise<Image | null> {
  const url = await chrome.tabs.captureVisibleTab(windowId, { format: 'jpeg', quality: 90 });
  const bitmap = await createImageBitmap(await (await fetch(url)).blob());
  const { width, height } = bitmap;
  try {
    return await encodePicture(bitmap, {
      x: 0,
      y: 0,
      width,
      height: Math.min(height, Math.round(width * HEIGHT_RATIO)),
    });
  } finally {
    bitmap.close();
  }
}
