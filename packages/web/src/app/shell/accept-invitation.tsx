import { Button } from '@recollect/ui';
import { useState } from 'preact/hooks';
import { client, explain } from '../api/client.js';
import { useResource } from '../state/use-resource.js';
import { Entrance } from './entrance.js';
import { acceptInvitation, invitation } from './passkey.js';

/** Greets an invited person and makes their passkey. */
export function AcceptInvitation({ token }: { token: string }) {
  const { value, problem } = useResource(() => client('openInvitation', { body: { token } }));
  const [failure, setFailure] = useState('');
  const [isBusy, setBusy] = useState(false);
  const accept = async () => {
    setBusy(true);
    setFailure('');
    try {
      await acceptInvitation(token);
    } catch (error) {
      setFailure(explain(error));
      setBusy(false);
    }
  };
  return (
    <Entrance title="Invitation">
      <div class="form">
        {value !== null && (
          <>
            <p>
              Welcome, <bdi>{value.name}</bdi>. You sign in with a passkey: your fingerprint, your face, or the PIN of
              this device.
            </p>
            <div class="form-actions">
              <Button variant="primary" icon="key" disabled={isBusy} onClick={() => void accept()}>
                Create a passkey
              </Button>
            </div>
          </>
        )}
        <p role="alert" class="form-problem">
          {failure || problem}
        </p>
        {problem !== '' && (
          <div class="form-actions">
            <Button
              onClick={() => {
                invitation.value = null;
              }}
            >
              Close
            </Button>
          </div>
        )}
      </div>
    </Entrance>
  );
}
