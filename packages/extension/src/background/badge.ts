import type { Status } from '../saving/status.js';

/** Milliseconds that the result of a capture is shown. */
const SHOWN = 4_000;

const BADGES: Readonly<Record<Status['tone'], { text: string; color: string }>> = {
  quiet: { text: '', color: '#56616c' },
  busy: { text: '…', color: '#56616c' },
  good: { text: '✓', color: '#176b3a' },
  kept: { text: '…', color: '#7a4f00' },
  bad: { text: '!', color: '#a8231b' },
};

/** Shows a status on the toolbar button of a tab: a sign, and the text as its tooltip. A result stays for a moment. */
export async function showBadge(tabId: number | undefined, { tone, text }: Status): Promise<void> {
  const tab = tabId === undefined ? {} : { tabId };
  const { action } = chrome;
  const badge = BADGES[tone];
  const changes = [
    action.setBadgeBackgroundColor({ ...tab, color: badge.color }),
    action.setBadgeTextColor({ ...tab, color: '#ffffff' }),
    action.setBadgeText({ ...tab, text: badge.text }),
    action.setTitle({ ...tab, title: text }),
  ];
  // The tab may be closed by now.
  await Promise.allSettled(changes);
  if (tone !== 'busy') setTimeout(() => void action.setBadgeText({ ...tab, text: '' }).catch(() => {}), SHOWN);
}
