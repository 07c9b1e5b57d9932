/**
 * Removes the characters that change the text direction of what follows, so that `gnp.exe` cannot pose as `exe.png`. Text from right to left needs none of them where it is isolated (`dir="auto"`, `<bdi>`).
 *
 * @example
 * displayed('user\u202egnp.exe') // 'usergnp.exe'
 */
export function displayed(text: string): string {
  return text.replace(/\p{Bidi_Control}+/gu, '');
}
