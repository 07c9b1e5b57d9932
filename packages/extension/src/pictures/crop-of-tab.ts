import { encodePicture } from './encode.js';
import type { Image } from './pictures.js';

/** Height of the crop, as a share of its width. */
const HEIGHT_RATIO = 10 / 16;

/** The upper part of the visible area of a window's active tab, which `activeTab` permits. */
export async function cropOfTab(windowId: number): Promise<Image | null> {
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
