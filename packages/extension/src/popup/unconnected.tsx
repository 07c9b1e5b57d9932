import { Button } from '@recollect/ui';
import { Header } from './header.js';

/** The popup of the extension of a store before the user has connected it. */
export function Unconnected() {
  return (
    <>
      <Header />
      <main class="notice">
        <p>Connect the extension to your Recollect, with the link that its Settings → Connect shows.</p>
        <Button variant="primary" onClick={openConnectPage}>
          Connect
        </Button>
      </main>
    </>
  );
}

/** Opens the page that connects and disconnects the extension. */
export function openConnectPage(): void {
  void chrome.runtime.openOptionsPage();
}
