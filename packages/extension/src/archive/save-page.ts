import { createHash } from 'node:crypto';
import { builtFile } from './files.js';

/** The page that the bookmarklet opens, and a policy that allows only its own script, style and origin. */
export function readSavePage(): { html: string; policy: string } {
  const html = builtFile('save.html').toString();
  const hashOf = (pattern: RegExp) => {
    const [, text] = pattern.exec(html) ?? [];
    if (text === undefined) throw new Error('save.html lacks its script or style. Build the extension again.');
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  };
  const script = hashOf(/<script>([\s\S]*?)<\/script>/);
  const style = hashOf(/<style>([\s\S]*?)<\/style>/);
  return {
    html,
    policy: `default-src 'none'; script-src ${script}; style-src ${style}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}
