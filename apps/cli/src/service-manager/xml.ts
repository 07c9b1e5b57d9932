const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

export function unescapeXml(text: string): string {
  return text.replace(
    /&(?:amp|lt|gt|quot);/g,
    (entity) => Object.entries(ENTITIES).find(([, name]) => name === entity)?.[0] ?? entity,
  );
}
