import { extensionOrigin } from '@recollect/contract';
import { RecollectError } from '@recollect/core';
import { isExtensionOrigin, isLoopback } from '../access-policy.js';
import type { AllowList } from './allow-list.js';
import { valuesOf } from './raw-header.js';

/**
 * Who sent a request, as far as a browser says so:
 * `program` no browser; `own` a page of this deployment; `navigation` an address typed or a bookmark; `extension` the
 * extension that ships; `listed` an origin allowed by name; `stranger` another extension, which needs a key; `unmarked` a
 * program, or a browser that does not say: it says so to names of this machine and to https alone.
 */
export type Sender = 'program' | 'own' | 'navigation' | 'extension' | 'listed' | 'stranger' | 'unmarked';

export interface Origin {
  sender: Sender;
  /** The origin to echo, and null where none was sent or it is a stranger's. */
  echo: string | null;
}

/**
 * SEC-3, SEC-5: the origin that a browser names must be on the list, and a request that a browser marks as coming from
 * another site must name one. Without an Origin, SEC-17: extensions with permission for this host send GETs that differ
 * from those of an address bar in their mode alone. `served` is the origin that this very request was sent to;
 * `takesVisitors` lets a window in that another site opened there.
 */
export function checkOrigin(
  rawHeaders: readonly string[],
  list: AllowList,
  served: string,
  takesVisitors = false,
): Origin {
  const origins = valuesOf(rawHeaders, 'origin');
  const [origin] = origins;
  if (origins.length > 1) throw notAllowed();
  if (origin !== undefined) return judge(origin, list, served);
  const [site, ...others] = valuesOf(rawHeaders, 'sec-fetch-site');
  // Node's fetch names a mode and no site; browsers name both, or neither.
  if (site === undefined) return { sender: isLoopback(new URL(served).hostname) ? 'program' : 'unmarked', echo: null };
  if (site === 'same-origin' && others.length === 0) return { sender: 'own', echo: null };
  const modes = valuesOf(rawHeaders, 'sec-fetch-mode');
  if (takesVisitors && isVisit(modes, valuesOf(rawHeaders, 'sec-fetch-dest')))
    return { sender: 'navigation', echo: null };
  if (site !== 'none' || others.length > 0) throw notAllowed();
  return { sender: modes.every((mode) => mode === 'navigate') ? 'navigation' : 'stranger', echo: null };
}

/** A whole window, and no frame, picture or script. */
function isVisit(modes: readonly string[], destinations: readonly string[]): boolean {
  return modes.join() === 'navigate' && destinations.join() === 'document';
}

function judge(origin: string, list: AllowList, served: string): Origin {
  if (list.ownOrigins.has(origin) || origin === served) return { sender: 'own', echo: origin };
  if (origin === extensionOrigin) return { sender: 'extension', echo: origin };
  if (list.otherOrigins.has(origin)) return { sender: 'listed', echo: origin };
  if (isExtensionOrigin(origin)) return { sender: 'stranger', echo: null };
  throw notAllowed();
}

export function notAllowed(): RecollectError {
  return new RecollectError(
    'ORIGIN_NOT_ALLOWED',
    'This web page or extension may not use the service. Its owner can allow an origin with RECOLLECT_ALLOWED_ORIGINS, or give an extension an API key.',
  );
}
