import { isPageAddress } from '@recollect/contract/text';
import { client, explain } from '../api/client.js';
import { deleteMemories } from '../state/changes.js';
import { fetchesAdded, fetchPage } from '../state/fetches.js';
import { loadList } from '../state/load-list.js';
import { announce, announceFailure, announceProgress } from '../state/status.js';

/** Whether a text is the address of a page and nothing else. */
export const isLink = (text: string): boolean => isPageAddress(text.trim()) && !/\s/.test(text.trim());

/** Saves a link, and then its page unless the user has switched that off. Says what became of it. */
export async function addLink(typed: string): Promise<void> {
  const url = typed.trim();
  announceProgress('Saving the link…');
  try {
    const [saved] = (await client('capture', { body: { url, sourceApp: 'web' } })).captures;
    await loadList();
    if (saved === undefined || saved.status !== 'created') return announce('This page was saved before.');
    const undo = () => deleteMemories([saved.id]);
    if (fetchesAdded.value === 'off') return announce('Link saved.', undo);
    announceProgress('Fetching the page…');
    const problem = await fetchPage(saved.id).catch(explain);
    await loadList();
    if (problem === null) announce('Page saved.', undo);
    else announceFailure(`Only the link was saved. ${problem}`, undo);
  } catch (error) {
    announceFailure(explain(error));
  }
}
