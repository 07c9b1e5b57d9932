/**
 * Words in classes, ids and roles that describe a part of a page. They come from the lists of Readability, Defuddle and
 * trafilatura, and from real pages.
 */
export const NAMES = {
  article: 'article story news blog post entry hentry single',
  content: 'content contents main body text copy prose wysiwyg richtext rich markdown rte page document',
  lead: 'lead lede intro introduction standfirst summary excerpt abstract dek teaser',
  title: 'title headline heading subtitle name',
  author: 'author byline writer contributor avatar profile user bio username',
  comment: 'comment comments reply replies respond discussion disqus thread message posts topic',
  signature: 'signature sig quote quoted rank',
  navigation: 'nav navigation navbar menu submenu dropdown megamenu mainmenu breadcrumb breadcrumbs crumbs toc sitemap',
  turning: 'pagination pager paging next prev previous paginate',
  header: 'header masthead topbar top logo branding',
  footer: 'footer foot bottom copyright legal colophon imprint',
  side: 'sidebar side aside rail secondary widget widgets panel right left',
  advertisement:
    'ad ads advert advertisement advertising sponsor sponsored promo promotion promoted banner outbrain taboola cta',
  sharing: 'share sharing social follow facebook twitter like likes print addthis sharedaddy',
  related:
    'related recommended recommend recommendations similar more also popular trending latest recent upsell crosssell suggestions readmore',
  tags: 'tag tags category categories keywords topics labels label',
  consent: 'cookie cookies consent gdpr privacy notice alert',
  account: 'login signin signup register subscribe subscription newsletter account paywall join mailing email',
  overlay: 'modal popup overlay lightbox tooltip toast hidden hide skip drawer offcanvas',
  search: 'search filter filters sort facet facets refine toolbar',
  product: 'product products sku catalog shop item items offer',
  facts:
    'description desc details detail spec specs specification specifications attributes features feature info information accordion faq tab tabs',
  reviews: 'review reviews rating ratings stars testimonial testimonials',
  repeated: 'card cards grid list listing tile tiles row rows result results gallery archive collection index',
  caption: 'caption credit figure image photo picture media video slider carousel slide slideshow',
  hero: 'hero jumbotron section block module container',
} as const satisfies Record<string, string>;

export type Name = keyof typeof NAMES;

const kinds = Object.keys(NAMES) as Name[];
const bits = new Map<string, number>();
for (const [place, kind] of kinds.entries())
  for (const word of NAMES[kind].split(' ')) bits.set(word, (bits.get(word) ?? 0) | (1 << place));

/** Reads the names of elements, with a cache: most elements of a page share a few names. */
export class NameReader {
  readonly #known = new Map<string, number>();

  /** Which kinds of names an element has: one bit for each kind, in the order of `NAMES`. */
  read(element: Element): number {
    const names = `${element.getAttribute('class') ?? ''} ${element.id} ${element.getAttribute('role') ?? ''}`;
    let known = this.#known.get(names);
    if (known === undefined) {
      known = 0;
      const words =
        names
          .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
          .toLowerCase()
          .match(/[a-z]+/g) ?? [];
      for (const word of words) known |= bits.get(word) ?? 0;
      this.#known.set(names, known);
    }
    return known;
  }
}
