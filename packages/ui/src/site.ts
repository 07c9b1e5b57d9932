import { parseUrl } from '@recollect/contract/text';

/**
 * The display form of the site of an address: the host without `www.`, with its port. Empty if it is not a web address.
 * International names stay in their ASCII form, because letters that look alike can imitate another site.
 *
 * @example
 * siteOf('https://www.example.org/a') // 'example.org'
 * siteOf('https://аpple.com/') // 'xn--pple-43d.com'
 */
export function siteOf(url: string): string {
  const parsed = parseUrl(url);
  if (parsed === null) return '';
  const { protocol, host } = parsed;
  return /^https?:$/.test(protocol) ? host.replace(/^www\.(?=.*\.)/, '') : '';
}
