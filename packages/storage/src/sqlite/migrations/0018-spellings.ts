/** It wrote the text index again, which now has other spellings of words, and emoji. 0023 does so for all stores. */
export async function up(): Promise<void> {}
