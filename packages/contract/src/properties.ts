/** Fields that a memory has in another place. */
const KNOWN = ['title', 'tags', 'tag', 'keywords'];
/** Characters of all values together. */
const MAX_PROPERTY_CHARACTERS = 8_192;

/**
 * The properties that the front matter of a file gave a memory (`metadata.frontMatter`), as names and texts; those that
 * became its title and tags are left out. Lists and nested values are joined by commas.
 *
 * @example
 * propertiesOf({ frontMatter: { title: 'Dune', author: 'Frank Herbert', genre: ['sf', 'epic'] } });
 * // [['author', 'Frank Herbert'], ['genre', 'sf, epic']]
 */
export function propertiesOf({ frontMatter }: Readonly<Record<string, unknown>>): [name: string, value: string][] {
  if (typeof frontMatter !== 'object' || frontMatter === null || Array.isArray(frontMatter)) return [];
  const properties: [string, string][] = [];
  let left = MAX_PROPERTY_CHARACTERS;
  for (const [name, value] of Object.entries(frontMatter)) {
    const text = textsIn(value).join(', ').slice(0, left);
    if (text === '' || KNOWN.includes(name.toLowerCase())) continue;
    left -= text.length;
    properties.push([name, text]);
  }
  return properties;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn);
  const text = value === null || value === undefined ? '' : String(value).trim();
  return text === '' ? [] : [text];
}
