/** A document that cannot be read. The message is a sentence for the user. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
}
