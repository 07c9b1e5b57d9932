import { Button } from '@recollect/ui';
import { Header } from './header.js';
import { openOptions } from './open-options.js';

/** The popup of the extension of a store before the user has connected it. */
export function Unconnected() {
  return (
    <>
      <Header />
      <main class="notice">
        <p>Connect the extension to your Recollect, with the link that its Settings → Connect shows.</p>
        <Button variant="primary" onClick={openOptions}>
          Connect
        </Button>
      </main>
    </>
  );
}
