import { Button, Icon } from '@recollect/ui';
import { addressOf } from '../api/base-path.js';
import { Card } from '../shell/card.js';
import { askToInstall, installPrompt } from '../shell/install.js';
import { useMedia } from '../state/use-media.js';
import { PairingCode } from './pairing-code.js';
import { Section } from './section.js';

interface Props {
  /** The address of the deployment; null until it is known. */
  baseUrl: string | null;
  /** Called when a device has got its key. */
  onPaired: () => void;
}

/** Phones and tablets: connecting one, and installing the app. */
export function Phone({ baseUrl, onPaired }: Props) {
  return (
    <Section heading={{ id: 'phone', title: 'Phone' }}>
      <div class="cards">
        <Card icon="key" title="Connect a phone">
          {baseUrl !== null &&
            (isOnlyHere(baseUrl) ? <OnlyHere /> : <PairingCode baseUrl={baseUrl} device="phone" onPaired={onPaired} />)}
        </Card>
        <Card icon="download" title="Install the app">
          <Install />
        </Card>
      </div>
    </Section>
  );
}

/** Whether an address is one of the computer that opens it. */
function isOnlyHere(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return /^(?:127(?:\.\d+){3}|\[::1\]|(?:.+\.)?localhost)$/.test(hostname);
}

function OnlyHere() {
  return (
    <p class="soft">
      This address works on this computer only; <a href={addressOf('/docs/self-hosting')}>self-hosting</a> describes how
      other devices reach your server.
    </p>
  );
}

/** The way to install the app that this browser has. */
function Install() {
  const isInstalled = useMedia('(display-mode: standalone)');
  return (
    <>
      <p class="soft">
        {isInstalled
          ? 'This is the installed app.'
          : 'The installed app has its own window, and on Android it is in the share menu.'}
      </p>
      {!isInstalled && installPrompt.value === null && <p>{describeInstallation()}</p>}
      <p class="button-row">
        {!isInstalled && installPrompt.value !== null && (
          <Button onClick={() => void askToInstall()}>
            <Icon name="download" />
            Install
          </Button>
        )}
        <a href={addressOf('/docs/getting-started/phone')}>How to share to it</a>
      </p>
    </>
  );
}

/** How to install the app in a browser that makes no offer. */
function describeInstallation(): string {
  if (!isSecureContext) return 'Browsers install apps only from an HTTPS address.';
  // Only Safari has this property, and only on iOS a touch screen.
  if ('standalone' in navigator && navigator.maxTouchPoints > 0)
    return 'In Safari, choose Share, then Add to Home Screen.';
  return 'In the menu of the browser, choose Install or Add to Home screen, if it is there.';
}
