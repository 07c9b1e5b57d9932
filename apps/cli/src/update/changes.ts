/** The sections of a changelog above the one of a release, without the links between them; all if it has none. */
export function changesSince(changelog: string, release: string): string {
  const sections = changelog.split(/^(?=## )/m).slice(1);
  const isSection = (section: string) => section.match(/^## \[?v?([^\]\s]+)/)?.[1] === release;
  const end = sections.findIndex(isSection);
  return (end < 0 ? sections : sections.slice(0, end)).join('').trim();
}
