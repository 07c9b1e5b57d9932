import { Icon } from '@recollect/ui';
import { client } from '../api/client.js';
import { Card } from '../shell/card.js';
import { useResource } from '../state/use-resource.js';
import { Assistants } from './assistants.js';
import { Keys } from './keys.js';
import { Section } from './section.js';

/** Clients that save to this deployment and read from it: browsers, assistants and other programs. */
export function Connect() {
  const { value, problem } = useResource(() => client('extensionSetup', {}));
  return (
    <>
      <Section heading={{ id: 'browser', title: 'Browser' }}>
        <div class="cards">
          <Card icon="globe" title="Browser extension">
            <p class="soft">One click saves the page, the selection or the conversation that you are reading.</p>
            <p class="button-row">
              <a class="button plain" href="/api/v1/extension/package" download>
                <Icon name="download" />
                Download
              </a>
              <a href="/docs/getting-started/extension">How to install it</a>
            </p>
          </Card>
          <Card icon="bookmark" title="Bookmarklet">
            <p class="soft">For browsers without the extension: a button for the bookmarks bar that saves a page.</p>
            <p class="button-row">
              <a class="button plain" href="/save">
                Get the bookmarklet
              </a>
              <a href="/docs/getting-started/bookmarklet">How it works</a>
            </p>
          </Card>
        </div>
      </Section>
      <Section heading={{ id: 'assistants', title: 'Assistants' }} problem={problem}>
        <Assistants address={value?.connection.mcpUrl ?? null} />
      </Section>
      <Keys />
      <p class="soft">
        Programs of your own: <a href="/docs/getting-started/http">HTTP</a> and{' '}
        <a href="/docs/getting-started/terminal">the command line</a>. <a href="/docs">Documentation</a>
      </p>
    </>
  );
}
