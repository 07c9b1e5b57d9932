import type { Ledger } from '../ledger.js';
import type { Answer, Send } from '../send.js';

/** The resources of a request. */
export interface Context {
  send: Send;
  /** Sends until there is an answer other than 503, as a client with an outbox does. */
  sendUntilAnswered: Send;
  ledger: Ledger;
  /** Reports an answer that contradicts what was acknowledged. */
  contradict(sentence: string): void;
}

/** A kind of request. It returns the answer; null if there is nothing to send it for yet. */
export interface Kind {
  name: string;
  /** Its share of the requests. */
  weight: number;
  run(context: Context): Promise<Answer | null>;
}
