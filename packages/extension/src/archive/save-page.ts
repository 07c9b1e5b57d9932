import { createHash } from 'node:crypto';
import { builtFile } from './files.js';

/** The page that the bookmarklet opens, with the policy that lets it run its own script, use its own style and reach its own origin. */
export function readSavePage(): { html: string; policy: string } {
  const html = builtFile('save.html').toString();
  const hashOf = (pattern: RegExp) => {
    const [, text] = pattern.exec(html) ?? [];
    if (text === undefined) throw new Error('The page has lost a part.');
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  };
  const script = hashOf(/<script>([\s\S]*?)<\/script>/);
  const style = hashOf(/<style>([\s\S]*?)<\/style>/);
  return {
    html,
    policy: `default-src 'none'; script-src ${script}; style-src ${style}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}
