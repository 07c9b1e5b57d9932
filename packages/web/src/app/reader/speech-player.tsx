import { Button } from '@recollect/ui';
import { useEffect } from 'preact/hooks';
import { continueSpeech, pauseSpeech, speech, stopSpeech } from './speech.js';

/** Pauses and stops the reading aloud; nothing while nothing is read. It stops when the reader closes. */
export function SpeechPlayer() {
  useEffect(() => stopSpeech, []);
  if (speech.value === 'off') return null;
  const isPaused = speech.value === 'paused';
  return (
    <section class="speech-player" aria-label="Reading aloud">
      <Button onClick={isPaused ? continueSpeech : pauseSpeech}>
        {isPaused ? 'Continue reading' : 'Pause reading'}
      </Button>
      <Button variant="quiet" icon="close" aria-label="Stop reading" onClick={stopSpeech} />
    </section>
  );
}
