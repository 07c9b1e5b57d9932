/** Milliseconds after which a text is shown in another typeface. */
const MAX_WAIT_MS = 300;

/** Loads the typeface for reading, so that no text is drawn twice. Gives up soon: the text matters more. */
export async function loadSerif(): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS));
  await Promise.race([document.fonts.load('1em "Source Serif 4 Variable"'), late]).catch(() => {});
}
