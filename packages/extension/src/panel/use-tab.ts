import { useEffect, useState } from 'preact/hooks';

/** The tab that the window shows. Without permission for its page, `url` is undefined. */
export type ShownTab = Pick<chrome.tabs.Tab, 'url' | 'incognito'>;

/** Follows the tab that the window of this panel shows. Null until it is known. */
export function useTab(): ShownTab | null {
  const [tab, setTab] = useState<ShownTab | null>(null);
  useEffect(() => {
    const read = async () => {
      const [shown] = await chrome.tabs.query({ active: true, currentWindow: true });
      const next = shown === undefined ? null : { url: shown.url, incognito: shown.incognito };
      // An event of another tab changes nothing.
      setTab((before) => (before?.url === next?.url && before?.incognito === next?.incognito ? before : next));
    };
    const follow = () => void read();
    const events = [chrome.tabs.onActivated, chrome.tabs.onUpdated, chrome.tabs.onAttached, chrome.tabs.onRemoved];
    for (const event of events) (event as chrome.events.Event<() => void>).addListener(follow);
    follow();
    return () => {
      for (const event of events) (event as chrome.events.Event<() => void>).removeListener(follow);
    };
  }, []);
  return tab;
}
