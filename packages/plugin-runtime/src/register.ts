import { registerHooks } from 'node:module';
import { aliases } from './child/confine.js';

// For tests of a plugin in any folder: with `node --import` of this file it can import the same modules as at run time.
registerHooks({
  resolve(specifier, context, next) {
    const alias = aliases.get(specifier);
    return alias === undefined ? next(specifier, context) : { url: alias, shortCircuit: true };
  },
});
