/** Selectors for the text of each post, without its surroundings, on known forums and question sites. */
const POSTS = [
  // Stack Exchange: the question and its answers.
  '.question .s-prose.js-post-body, .answer .s-prose.js-post-body',
  // Discourse
  '.topic-post .cooked',
  // phpBB
  '.post .postbody .content',
  // XenForo
  '.message-body .bbWrapper',
  // vBulletin 4 and 5
  '.postcontent, .js-post__content-text',
  // Simple Machines Forum
  '.post_wrapper .post .inner',
  // MyBB
  '.post_body',
  // Invision Community
  '[data-role="commentContent"]',
  // Flarum
  '.PostStream .Post-body',
  // NodeBB
  '[component="topic"] [component="post/content"]',
  // Hacker News
  '.toptext, .commtext',
  // Lobsters
  '.story_text, .comment_text',
  // Old Reddit
  '.expando .usertext-body .md, .commentarea .usertext-body .md',
];
const MIN_POSTS = 2;

/** The posts of a thread, in order, as one element; null when the page is not from a known forum. */
export function readThread(copy: Document): HTMLElement | null {
  for (const selector of POSTS) {
    const found = [...copy.querySelectorAll(selector)].filter(
      (post) => post.parentElement?.closest(selector) == null && (post.textContent ?? '').trim() !== '',
    );
    if (found.length < MIN_POSTS) continue;
    const thread = copy.createElement('div');
    for (const [index, post] of found.entries()) {
      if (index > 0) thread.append(copy.createElement('hr'));
      const part = copy.createElement('section');
      part.append(...[...post.childNodes].map((node) => node.cloneNode(true)));
      thread.append(part);
    }
    return thread;
  }
  return null;
}
