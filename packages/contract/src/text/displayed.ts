/**
 * Removes the control characters that change text direction, so that `gnp.exe` cannot pose as `exe.png`. Isolated
 * right-to-left text (`dir="auto"`, `<bdi>`) does not need them.
 *
 * @example
 * displayed('user\u202egnp.exe') // 'usergnp.exe'
 */
export function displayed(text: string): string {
  return text.replace(/\p{Bidi_Control}+/gu, '');
}
