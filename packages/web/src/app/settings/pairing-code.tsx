import type { PairingAnswer } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { count } from '@recollect/contract/text';
import { Button } from '@recollect/ui';
import { useEffect, useState } from 'preact/hooks';
import { client, explain, loadPage } from '../api/client.js';
import { pairingLink } from '../shell/pair.js';
import { copyText } from '../state/copy-text.js';
import { announceFailure } from '../state/status.js';
import { useResource } from '../state/use-resource.js';

/** Poll interval in milliseconds while a code waits for its device. */
const LOOK_EVERY = 2_000;
const MINUTE = 60_000;

interface Props {
  baseUrl: string;
  /** What uses the code. A phone scans it. */
  device: 'phone' | 'extension';
  onPaired: () => void;
}

/** A button that creates a one-time code, and the code as a link and a text, and for phones as a picture. */
export function PairingCode({ onPaired, ...target }: Props) {
  const [created, setCreated] = useState<(PairingAnswer & { endsAt: number }) | null>(null);
  const create = async () => {
    try {
      // The clocks of the server and of this computer may differ.
      const endsAt = Date.now() + limits.pairing.minutes * MINUTE;
      setCreated({ ...(await client('createPairing', {})), endsAt });
    } catch (error) {
      announceFailure(explain(error));
    }
  };
  return (
    <>
      {created === null && (
        <p class="soft">
          {target.device === 'phone'
            ? 'Scan a code with the phone, and it can save and read. It gets its own key, which you can revoke below.'
            : 'An extension from a store asks for a link. It gets its own key, which you can revoke below.'}
        </p>
      )}
      {created !== null && <Waiting key={created.pairing.id} {...created} {...target} onPaired={onPaired} />}
      <p class="button-row">
        <Button icon="key" onClick={() => void create()}>
          {created === null ? 'Create a code' : 'Create another code'}
        </Button>
      </p>
    </>
  );
}

interface WaitingProps extends PairingAnswer, Props {
  /** When the code expires, by the clock of this computer. */
  endsAt: number;
}

/** A code until a device has used it. */
function Waiting({ code, pairing, endsAt, baseUrl, device: kind, onPaired }: WaitingProps) {
  const { value } = useResource(() => client('pairingState', { parameters: { id: pairing.id } }), {
    poll: ({ apiKey }) => (apiKey === null && Date.now() < endsAt ? LOOK_EVERY : null),
  });
  const device = value?.apiKey?.name ?? null;
  const minutes = Math.ceil((endsAt - useTime()) / MINUTE);
  const link = pairingLink(baseUrl, code);
  useEffect(() => {
    if (device !== null) onPaired();
  }, [device]);
  return (
    <>
      <p role="status">
        {device !== null && `Connected: ${device}.`}
        {device === null && minutes <= 0 && 'The code has expired.'}
      </p>
      {device === null && minutes > 0 && (
        <>
          {kind === 'phone' && <QrCode text={link} />}
          <p class="copied-code">
            <code>{link}</code>
            <Button
              variant="quiet"
              icon="copy"
              aria-label={`Copy the link for the ${kind}`}
              onClick={() => void copyText(link, 'The link is copied.')}
            />
          </p>
          <p>
            {kind === 'phone' ? `Or open ${baseUrl} there, and type` : `Or enter ${baseUrl} there, and the code`}{' '}
            <code class="pairing-code">{code}</code>
          </p>
          <p class="soft">Valid once, for {count(minutes, 'minute')}.</p>
        </>
      )}
    </>
  );
}

/** A QR code. Its library is loaded when the first one is shown. */
function QrCode({ text }: { text: string }) {
  const [drawing, setDrawing] = useState<{ path: string; size: number } | null>(null);
  useEffect(() => {
    void loadPage(() => import('./qr-path.js')).then(({ qrPath }) => setDrawing(qrPath(text)));
  }, [text]);
  const size = drawing?.size ?? 1;
  return (
    // Readers of codes need a light margin of four modules, in dark colours too.
    <svg class="qr-code" role="img" aria-label="QR code of the link" viewBox={`-4 -4 ${size + 8} ${size + 8}`}>
      <path d={drawing?.path ?? ''} />
    </svg>
  );
}

/** The time, updated often enough for minutes. */
function useTime(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), LOOK_EVERY);
    return () => clearInterval(timer);
  }, []);
  return now;
}
