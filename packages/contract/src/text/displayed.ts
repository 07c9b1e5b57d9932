/**
 * A stored text as it is displayed: without the characters that change the direction of what follows, by which `exe.png` can pose
 * as `gnp.exe`. Text from right to left needs none of them where it is isolated (`dir="auto"`, `<bdi>`).
 *
 * @example
 * displayed('user\u202egnp.exe') // 'usergnp.exe'
 */
export function displayed(text: string): string {
  return text.replace(/\p{Bidi_Control}+/gu, '');
}
