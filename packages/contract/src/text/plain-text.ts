/**
 * Markdown without its syntax, as it reads on a page: labels of links, cells of tables (separated by tabs), no marks of headings,
 * lists, quotes, emphasis, code and footnotes. Lines stay lines. What looks like HTML is text and stays.
 */
export function plainText(markdown: string): string {
  return markdown
    .replace(/!?\[([^[\]\n]*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"\n]*")?\)/g, '$1')
    .replace(/\[\^\w{1,40}\]/g, '')
    .replace(/^[ \t]*(?:#{1,6}|>|[-*+]|\d{1,3}[.)])[ \t]+/gm, '')
    .replace(/^[ \t]*(?:```|~~~).*$/gm, '')
    .replace(/(\*\*|__|`)(?=\S)([^\n]*?\S)\1/g, '$2')
    .replace(/(?<![\w*])\*(?=\S)([^*\n]*?\S)\*(?![\w*])/g, '$1')
    .replace(/^[ \t]*\|(.*)\|[ \t]*$/gm, (_, row: string) => row.replace(/^[-:| ]+$/, '').replaceAll('|', '\t'))
    .replace(/\\([\\`*_[\]()#+.!|>-])/g, '$1');
}
