import { signal } from '@preact/signals';

/** Chromium's offer to install the app. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

/** The browser's offer to install the app, which it makes once per page. Null without one. */
export const installPrompt = signal<InstallPrompt | null>(null);

/** Keeps the browser's offer for the settings, instead of a bar over the page. */
export function keepInstallPrompt(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    installPrompt.value = event as InstallPrompt;
  });
  addEventListener('appinstalled', () => {
    installPrompt.value = null;
  });
}

/** Shows the browser's question. It can be asked once. */
export async function askToInstall(): Promise<void> {
  const prompt = installPrompt.value;
  installPrompt.value = null;
  await prompt?.prompt();
}
