/**
 * The display form of the site of an address: the host without `www.`, with its port. Empty if it is not a web address.
 * International names stay in their ASCII form, because letters that look alike can imitate another site.
 *
 * @example
 * siteOf('https://www.example.org/a') // 'example.org'
 * siteOf('https://аpple.com/') // 'xn--pple-43d.com'
 */
export function siteOf(url: string): string {
  if (!URL.canParse(url)) return '';
  const { protocol, host } = new URL(url);
  return /^https?:$/.test(protocol) ? host.replace(/^www\.(?=.*\.)/, '') : '';
}
