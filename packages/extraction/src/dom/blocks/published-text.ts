/** Properties of structured data that repeat a page's own text. */
const TEXTS = new Set(['articleBody', 'description', 'text', 'reviewBody', 'recipeInstructions', 'abstract']);
const METAS =
  'meta[name="description"], meta[property="og:description"], meta[name="twitter:description"], meta[itemprop="description"]';
/** Structured data nested deeper is not read: hostile data could be nested without end. */
const MAX_DEPTH = 12;

/** The texts that a page publishes as data for machines. They tell which of its blocks are its text. */
export function publishedTexts(page: Document): string[] {
  const texts = [...page.querySelectorAll(METAS)].map((meta) => meta.getAttribute('content') ?? '');
  for (const script of page.querySelectorAll('script[type="application/ld+json"]')) {
    try {
      collect(JSON.parse(script.textContent ?? ''), texts, 0);
    } catch {
      // Some pages publish invalid data. It is only a hint; the page has its text without it.
    }
  }
  return texts;
}

function collect(value: unknown, texts: string[], depth: number): void {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
  for (const [key, part] of Object.entries(value)) {
    if (typeof part === 'string' && TEXTS.has(key)) texts.push(part.replace(/<[^<>]*>/g, ' '));
    else collect(part, texts, depth + 1);
  }
}
