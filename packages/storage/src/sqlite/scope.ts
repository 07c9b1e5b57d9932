/** A user's id as one word that the tokenizer leaves whole, whatever characters it is made of. */
export function scopeOf(userId: string): string {
  return `u${Buffer.from(userId).toString('hex')}`;
}
