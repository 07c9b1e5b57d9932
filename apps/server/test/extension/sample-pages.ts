/** A newspaper page: an article among navigation, advertisements and related links. */
export const ARTICLE = `<!doctype html><html lang="en"><head><title>The lamps of Harrow Street | The Evening Post</title>
<meta property="og:site_name" content="The Evening Post"><meta name="author" content="Ada Quill">
<link rel="canonical" href="https://post.example/lamps"></head><body>
<nav class="site-nav"><ul><li><a href="/">Front page</a></li><li><a href="/sport">Sport</a></li><li><a href="/subscribe">Subscribe now for half price</a></li></ul></nav>
<main><article><h1>The lamps of Harrow Street</h1><p class="byline">By Ada Quill</p>
<p>For ninety years the gas lamps of Harrow Street were lit by hand, and on Tuesday evening the lamplighter climbed his ladder for the last time. A crowd had gathered to see it, and a brass band played.</p>
<div class="ad-slot advertisement"><p>Advertisement: ladders of all lengths, buy two and save!</p></div>
<h2>What comes instead</h2>
<p>The council replaces the mantles by diodes that imitate their colour. They need a tenth of the energy, and nobody has to climb. Those who live there had asked for a warmer light than the first trial gave.</p>
<ul><li>Forty lamps stay where they are</li><li>Twelve are moved to the quay</li></ul>
<pre><code class="language-js">lamps.forEach((lamp) =&gt; lamp.warm(2200));</code></pre>
<blockquote><p>One hears the difference before one sees it, says the lamplighter: the hiss is gone.</p></blockquote>
<p>His ladder goes to the museum, where it will lean against the last of the old lamps, which burns on Sundays.</p>
</article></main>
<aside class="related"><h3>More from the Post</h3><ul><li><a href="/a">Ten recipes for rainy days</a></li><li><a href="/b">Who will win the cup?</a></li></ul></aside>
<footer><p>Copyright The Evening Post. All rights reserved. Cookie settings.</p></footer></body></html>`;

/** A conversation with ChatGPT's structure. With `isStreaming`, the last answer is still being written. */
export function conversationPage(turns: number, { isStreaming = false } = {}): string {
  const articles = Array.from({ length: turns }, (_, index) => {
    const role = index % 2 === 0 ? 'user' : 'assistant';
    const text = turnText(index);
    const body =
      role === 'user'
        ? `<div class="whitespace-pre-wrap">${text}</div>`
        : `<div class="markdown prose"><p>${text}</p><pre><code class="language-js">turn(${index})</code></pre></div>`;
    return `<article data-testid="conversation-turn-${index + 1}"><h5 class="sr-only">Someone said:</h5><div data-message-author-role="${role}">${body}</div><button>Copy</button></article>`;
  });
  const stop = isStreaming ? '<button data-testid="stop-button">Stop</button>' : '';
  return `<!doctype html><title>Lamps and light - ChatGPT</title><nav>Chats</nav><main>${articles.join('')}${stop}</main>`;
}

/** The text of a turn of {@link conversationPage}, counted from 0. */
export function turnText(index: number): string {
  return `This is turn ${index} of the talk about lamps, and it says something of its own: ${'light '.repeat((index % 5) + 3)}${index}.`;
}
