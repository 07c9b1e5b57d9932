import { Button } from '@recollect/ui';
import { client } from '../api/client.js';
import { chooseFiles } from '../shell/choose-files.js';
import { useResource } from '../state/use-resource.js';
import { Section } from './section.js';

/** How the extension and assistants reach this deployment. */
export function Connections() {
  const { value, problem } = useResource(() => client('extensionSetup', {}));
  return (
    <Section id="connections" title="Connections" problem={problem}>
      <ul class="plain-list">
        <li>
          <a href="/docs/getting-started/extension">Set up the browser extension</a>, or{' '}
          <a href="/api/v1/extension/package" download>
            download it
          </a>
        </li>
        <li>
          <a href="/docs/getting-started/bookmarklet">Add the bookmarklet</a> for browsers without the extension
        </li>
        <li>
          <a href="/docs/getting-started/mcp">Connect an assistant</a>
          {value !== null && (
            <>
              {' '}
              to <code>{value.connection.mcpUrl}</code>
            </>
          )}
        </li>
        <li>
          <a href="/docs">Documentation</a>
        </li>
      </ul>
      <h3>Save files</h3>
      <p>
        Text, Markdown and saved web pages become memories: choose them here, or drop them anywhere. To save some
        memories as Markdown, select them in the list and press Export.
      </p>
      <p>
        <Button icon="upload" onClick={chooseFiles}>
          Save files
        </Button>
      </p>
    </Section>
  );
}
