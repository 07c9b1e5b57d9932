import Type, { type Static } from 'typebox';

/**
 * A public key whose private key was discarded. In the manifest it gives the unpacked extension the same id on every
 * machine: the first half of the key's SHA-256, written with the letters a to p.
 */
export const extensionKey =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA05lnkESWTBOueFmJa3bEYCmh4Iy9nC3zDw9TYHNGPaqHrrvppzkoCRgzEo3BcO0HlVMBN+e4RWlurSAnjI8sLQ/40YbznQY/qdAMv76W9Fkfc3MyrdciGGwYbuWrYFYwJANtORUr9N+8SXIm3y09ceOwO6z5NQ/pqjFNkcxp83YKWIrpmUq+gFA74wxsOo2cmgiY0WrSbjALwDNKmMPcW/27m3dPftrdZI9wP6pTuPI5sPGfYR/Tep73ikPW6BsWowtxZuyfFG6vpo0g6l8NU9ZpnQBTp3tvAmka88vlRLxmx0qwuDk1UZtuut3fTB8Gi4Tb2N1E1rPK9Vz+G4V/MwIDAQAB';

/** The origin that Chromium sends for the extension with {@link extensionKey} (SEC-5). */
export const extensionOrigin = 'chrome-extension://edcgnpkojmojcedaehhaancdlogpdfil';

/** Firefox needs a different manifest. */
export const PackageParameters = Type.Object({ browser: Type.Optional(Type.Enum(['chromium', 'firefox'])) });

const Url = Type.String({ format: 'http-url' });

/** Facts of a deployment for a browser extension (EXT-1). */
export const SetupAnswer = Type.Object({
  ok: Type.Literal(true),
  product: Type.Object({ name: Type.String(), extensionName: Type.String(), extensionVersion: Type.String() }),
  connection: Type.Object({
    baseUrl: Url,
    captureUrl: Url,
    queryUrl: Url,
    setupUrl: Url,
    mcpUrl: Url,
    docsUrl: Url,
    downloadUrl: Url,
  }),
  auth: Type.Object({
    apiKeysSupported: Type.Boolean(),
    apiKeyProvided: Type.Boolean(),
    authenticated: Type.Boolean(),
    mode: Type.Enum(['optional', 'required']),
  }),
  capabilities: Type.Object({ capture: Type.Boolean(), query: Type.Boolean(), mcp: Type.Boolean() }),
});
export type SetupAnswer = Static<typeof SetupAnswer>;
