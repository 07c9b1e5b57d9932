import { correction, generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';

/** The path of an SVG that draws a text as a QR code, and the width of its square in modules. */
export function qrPath(text: string): { path: string; size: number } {
  const code = generate(text, { minCorrectionLevel: correction.M });
  return { path: toSvgPath(code), size: code.size };
}
