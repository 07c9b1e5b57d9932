/** An environment variable that Recollect reads. */
export interface Setting {
  name: string;
  /** The default; empty if there is none. */
  byDefault: string;
  meaning: string;
}

/** All settings, as the table of docs/configuration.md lists them. */
export const settings: readonly Setting[] = [
  {
    name: 'RECOLLECT_DATA_DIR',
    byDefault:
      'Linux $XDG_DATA_HOME/recollect or ~/.local/share/recollect, macOS ~/Library/Application Support/recollect, Windows %LOCALAPPDATA%\\recollect\\Data',
    meaning: 'data folder; a relative path starts where the command is typed',
  },
  {
    name: 'RECOLLECT_DATABASE_URL',
    byDefault: 'sqlite: and recollect.db in the data folder',
    meaning:
      'the store: sqlite:PATH, or postgres://NAME:PASSWORD@HOST/DATABASE for PostgreSQL 15 or later with pgvector, which several servers can share',
  },
  {
    name: 'RECOLLECT_DATABASE_READ_URL',
    byDefault: '',
    meaning:
      'a replica of the database in PostgreSQL, on which searches are done once it has all changes of their user',
  },
  {
    name: 'RECOLLECT_ALLOW_NETWORK_STORE',
    byDefault: '0',
    meaning:
      '1: the data folder may be on a network file system, where nothing is promised; use it from one machine only',
  },
  {
    name: 'RECOLLECT_PORT',
    byDefault: '4545',
    meaning: 'port of the server; 0 picks a free one',
  },
  {
    name: 'RECOLLECT_LISTEN',
    byDefault: '',
    meaning:
      'in place of host and port: unix: and the path of a Unix socket, for a proxy on this machine, or systemd, for a socket that systemd has opened',
  },
  {
    name: 'RECOLLECT_HOST',
    byDefault: '127.0.0.1',
    meaning: 'address that the server listens on; any other than loopback needs RECOLLECT_AUTH=required',
  },
  {
    name: 'RECOLLECT_AUTH',
    byDefault: 'optional',
    meaning:
      'required: over HTTP every caller needs an API key, which recollect keys create makes; your own commands on this machine need none',
  },
  {
    name: 'RECOLLECT_PUBLIC_URL',
    byDefault: '',
    meaning:
      'address at which others reach the deployment, with or without a path; any other than loopback turns the local user off',
  },
  {
    name: 'RECOLLECT_TRUSTED_PROXIES',
    byDefault: '',
    meaning:
      'addresses or networks (10.1.0.0/16) of proxies whose X-Forwarded-* headers are trusted, separated by commas; no wildcard',
  },
  {
    name: 'RECOLLECT_ALLOWED_HOSTS',
    byDefault: '',
    meaning: 'further names for the Host header, separated by commas; no wildcard',
  },
  {
    name: 'RECOLLECT_ALLOWED_ORIGINS',
    byDefault: '',
    meaning: 'further origins of web pages that may use the service, separated by commas; no wildcard',
  },
  {
    name: 'RECOLLECT_RATE_LIMIT',
    byDefault: 'on',
    meaning: 'off: no limits on requests per minute, for load tests; only on a loopback bind',
  },
  {
    name: 'RECOLLECT_PUBLIC_PAGES',
    byDefault: 'on',
    meaning: 'off: no tag or saved search can be shared as a public page, and pages that exist return 404',
  },
  {
    name: 'RECOLLECT_ACCOUNTS',
    byDefault: 'off',
    meaning: 'on: the sign-in of the web app offers passkeys even before you have invited someone',
  },
  {
    name: 'RECOLLECT_OIDC_ISSUER',
    byDefault: '',
    meaning:
      'address of a provider of identities (OpenID Connect), such as https://id.example/realms/home, where people sign in; register {address}/sign-in/callback there',
  },
  {
    name: 'RECOLLECT_OIDC_CLIENT_ID',
    byDefault: '',
    meaning: 'the id of Recollect at the provider; required with the issuer',
  },
  {
    name: 'RECOLLECT_OIDC_CLIENT_SECRET',
    byDefault: '',
    meaning: 'its secret there; none for a public client',
  },
  {
    name: 'RECOLLECT_OIDC_NAME',
    byDefault: 'the host of the issuer',
    meaning: 'name of the provider, on the button of the sign-in',
  },
  {
    name: 'RECOLLECT_OIDC_ROLE_CLAIM',
    byDefault: '',
    meaning: 'claim in which the provider gives roles: owner, member or guest, alone or in a list',
  },
  {
    name: 'RECOLLECT_SIGN_UP',
    byDefault: 'off',
    meaning:
      'on: everyone with an account at the provider becomes a member; otherwise only people with an invited address',
  },
  {
    name: 'RECOLLECT_EMBEDDINGS',
    byDefault: 'on',
    meaning: 'off: no model; search is by word only',
  },
  {
    name: 'RECOLLECT_EMBEDDINGS_URL',
    byDefault: '',
    meaning: 'an OpenAI-compatible service, such as http://127.0.0.1:11434/v1, instead of the model that ships',
  },
  {
    name: 'RECOLLECT_EMBEDDINGS_MODEL',
    byDefault: '',
    meaning: 'the model to request from it; required with the URL',
  },
  {
    name: 'RECOLLECT_EMBEDDINGS_KEY',
    byDefault: '',
    meaning: 'its API key, if it needs one',
  },
  {
    name: 'RECOLLECT_MODEL',
    byDefault: 'the choice of the store',
    meaning:
      'english, multilingual, or a folder with another local model, in the layout of transformers.js: config.json, tokenizer.json, tokenizer_config.json, onnx/model_quantized.onnx; profile.json may add what the model needs',
  },
  {
    name: 'RECOLLECT_MODEL_DIR',
    byDefault: '',
    meaning: 'a former name of RECOLLECT_MODEL, for a folder',
  },
  {
    name: 'RECOLLECT_VECTOR_MEMORY',
    byDefault: '512',
    meaning:
      'memory for vectors, in MB, 0 to 4096; with too little for all of them, only their signs are in memory, or none, and searches are slower',
  },
  {
    name: 'RECOLLECT_TEXT_MEMORY',
    byDefault: '512',
    meaning:
      'memory for an index of words, in MB, 0 to 4096; with 0, or too little for all texts, words are searched on disk',
  },
  {
    name: 'RECOLLECT_PASSAGE_VECTORS',
    byDefault: 'on',
    meaning:
      'off: no vectors of words, which saves up to 2 KB for each passage of a text; results are ranked less well',
  },
  {
    name: 'RECOLLECT_CAREFUL',
    byDefault: 'on',
    meaning:
      'off: no careful search, which uses up to 160 MB of memory until ten minutes after the last one; assistants use it, recollect search --careful, and "Improve these results" in the web app',
  },
  {
    name: 'RECOLLECT_FETCH',
    byDefault: 'public',
    meaning:
      'from where the server gets the pages of links when you ask for it: public, the public internet only; private, your machine and network also; off, from nowhere',
  },
  {
    name: 'RECOLLECT_SERVER_WAIT',
    byDefault: '300',
    meaning:
      'milliseconds in which the running server must answer a command, up to 60000; if it does not, the command opens the store itself, and with 0, or --direct, it does so at once',
  },
  {
    name: 'RECOLLECT_OPENCLAW_HOSTS',
    byDefault: 'localhost, 127.0.0.1, [::1]',
    meaning:
      'hosts, with or without a port, where the extension recognises pages of OpenClaw, separated by commas; download the extension again after a change',
  },
  {
    name: 'RECOLLECT_MCP',
    byDefault: 'on',
    meaning: 'off: no access for assistants: /api/mcp returns 404, and recollect mcp refuses to start',
  },
  {
    name: 'RECOLLECT_METRICS',
    byDefault: 'off',
    meaning: 'on: GET /metrics returns metrics for Prometheus, to the owner only',
  },
  {
    name: 'RECOLLECT_RUNNERS',
    byDefault: 'on',
    meaning:
      'off: the server leaves indexing and plugins to recollect work, or to recollect jobs:run-indexing and jobs:run-due for cron',
  },
  {
    name: 'RECOLLECT_WATCH',
    byDefault: '',
    meaning:
      'folders whose notes, texts, PDFs and documents the server keeps in step with their memories, as recollect watch does, separated by commas',
  },
  {
    name: 'RECOLLECT_HISTORY_DAYS',
    byDefault: '30',
    meaning:
      'days for which the values that a change of a memory replaced are kept, so that it can be undone, 1 to 3650',
  },
  {
    name: 'RECOLLECT_BACKUPS',
    byDefault: 'on',
    meaning: 'off: the server makes no automatic backups, except before a migration',
  },
  {
    name: 'RECOLLECT_BACKUP_DIR',
    byDefault: 'backups in the data folder',
    meaning: 'folder of the backups, best on another disk',
  },
  {
    name: 'RECOLLECT_BACKUP_PASSPHRASE_FILE',
    byDefault: '',
    meaning: 'a file whose first line is the passphrase that encrypts backups; keep a copy of the passphrase elsewhere',
  },
  {
    name: 'RECOLLECT_UPDATE_CHECK',
    byDefault: 'off',
    meaning:
      'weekly: the server asks the npm registry once a week for the newest version, and recollect status and its messages name it; an installed package only',
  },
  {
    name: 'RECOLLECT_PLUGIN_HOOK_SECONDS',
    byDefault: '30',
    meaning: "time limit of a plugin's hook, 1 to 3600",
  },
  {
    name: 'RECOLLECT_PLUGIN_JOB_SECONDS',
    byDefault: '600',
    meaning: "time limit of a plugin's job, 1 to 86400",
  },
  {
    name: 'RECOLLECT_PLUGIN_MEMORY_MB',
    byDefault: '256',
    meaning: "memory limit of a plugin's process, beyond Node itself, 32 to 16384",
  },
];
