import { registerHooks } from 'node:module';
import { aliases } from './child/confine.js';

// For the tests of a plugin that lies anywhere: `node --import` of this file lets it import what it has at run time.
registerHooks({
  resolve(specifier, context, next) {
    const alias = aliases.get(specifier);
    return alias === undefined ? next(specifier, context) : { url: alias, shortCircuit: true };
  },
});
