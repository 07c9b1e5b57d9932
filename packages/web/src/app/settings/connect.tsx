import { Button, Icon } from '@recollect/ui';
import { useState } from 'preact/hooks';
import { addressOf } from '../api/base-path.js';
import { client } from '../api/client.js';
import { Card } from '../shell/card.js';
import { copyText } from '../state/copy-text.js';
import { useResource } from '../state/use-resource.js';
import { Keys } from './keys.js';
import { PairingCode } from './pairing-code.js';
import { Phone } from './phone.js';
import { Section } from './section.js';

/** Clients that save to this deployment and read from it: browsers, assistants and other programs. */
export function Connect() {
  const { value, problem } = useResource(() => client('extensionSetup', {}));
  const [paired, setPaired] = useState(0);
  const baseUrl = value?.connection.baseUrl ?? null;
  const onPaired = () => setPaired((before) => before + 1);
  return (
    <>
      <Section heading={{ id: 'browser', title: 'Browser' }} isLoading={value === null && problem === ''}>
        <div class="cards">
          <Card icon="globe" title="Browser extension">
            <p class="soft">One click saves the page, the selection or the conversation that you are reading.</p>
            <p class="button-row">
              <a class="button plain" href={addressOf('/api/v1/extension/package')} download>
                <Icon name="download" />
                Download
              </a>
              <a href={addressOf('/docs/getting-started/extension')}>How to install it</a>
            </p>
            {baseUrl !== null && <PairingCode baseUrl={baseUrl} device="extension" onPaired={onPaired} />}
          </Card>
          <Card icon="bookmark" title="Bookmarklet">
            <p class="soft">For browsers without the extension: a button for the bookmarks bar that saves a page.</p>
            <p class="button-row">
              <a class="button plain" href={addressOf('/save')}>
                Get the bookmarklet
              </a>
              <a href={addressOf('/docs/getting-started/bookmarklet')}>How it works</a>
            </p>
          </Card>
        </div>
      </Section>
      <Phone baseUrl={baseUrl} onPaired={onPaired} />
      <Section heading={{ id: 'assistants', title: 'Assistants' }} problem={problem}>
        <Assistants address={value?.connection.mcpUrl ?? null} />
      </Section>
      <Keys paired={paired} />
      <p class="soft">
        Build your own: <a href={addressOf('/docs/getting-started/http')}>HTTP</a> and{' '}
        <a href={addressOf('/docs/getting-started/terminal')}>the command line</a>.{' '}
        <a href={addressOf('/docs')}>Documentation</a>
      </p>
    </>
  );
}

/** Assistants whose settings the command line can write, and how each reloads them. */
const ASSISTANTS = [
  { name: 'Claude Desktop', command: 'recollect mcp install claude-desktop', note: 'Quit and reopen it.' },
  { name: 'Claude Code', command: 'recollect mcp install claude-code', note: 'Type /mcp in the next session.' },
  { name: 'Cursor', command: 'recollect mcp install cursor', note: 'See Settings, MCP.' },
  { name: 'VS Code', command: 'recollect mcp install vscode', note: 'Run MCP: List Servers.' },
  { name: 'ChatGPT', command: 'recollect mcp --print-config chatgpt', note: 'Prints the commands for a tunnel.' },
] as const;

/** A card for each assistant with the command that connects it, and one for all others with the address. */
function Assistants({ address }: { address: string | null }) {
  return (
    <>
      <p class="soft">
        An assistant can search what you saved, and save what you ask it to. Run its command in a terminal: it shows
        what it changes, and asks first. <a href={addressOf('/docs/getting-started/mcp')}>Connect an assistant</a>
      </p>
      <div class="cards">
        {ASSISTANTS.map(({ name, command, note }) => (
          <Assistant key={name} name={name} code={command} what="command" note={note} />
        ))}
        {address !== null && (
          <Assistant name="Another assistant" code={address} what="address" note="Any client of MCP over HTTP." />
        )}
      </div>
    </>
  );
}

interface AssistantProps {
  name: string;
  code: string;
  what: 'command' | 'address';
  note: string;
}

function Assistant({ name, code, what, note }: AssistantProps) {
  return (
    <Card title={name}>
      <p class="copied-code">
        <code>{code}</code>
        <Button
          variant="quiet"
          icon="copy"
          aria-label={`Copy the ${what} for ${name}`}
          onClick={() => void copyText(code, `The ${what} is copied.`)}
        />
      </p>
      <p class="soft">{note}</p>
    </Card>
  );
}
