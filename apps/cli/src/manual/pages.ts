/** The help of a command, beside its synopsis and options. */
export interface ManualPage {
  /** Facts to know before using the command. */
  about?: string;
  /** Command lines, each with what it does. */
  examples: Readonly<Record<string, string>>;
}

const ID = '019f0c1e-7d3a-7000-8a51-3c1b2f4d5e6f';

/** The page of each command by its words, such as `tags rename`; the page of the program has none. */
export const pages: Readonly<Record<string, ManualPage>> = {
  '': {
    about: 'Nothing has to be configured. recollect help settings lists what can be.',
    examples: {
      'recollect capture https://example.com/article': 'save a page',
      'recollect search "what was that about tea"': 'find it by meaning',
      'recollect recent': 'list the newest memories',
      'recollect tags rename recipe --to cooking': 'rename a tag; recollect undo takes it back',
      'recollect open': 'open the web app in your browser',
      'source <(recollect complete zsh)': 'shell completion (for other shells: recollect help complete)',
    },
  },
  serve: {
    about:
      'The server answers on http://127.0.0.1:4545 and listens to no other machine. It also indexes, runs the jobs of plugins and makes backups. Ctrl+C stops it; accepted memories are kept.',
    examples: {
      'recollect serve': 'start the server',
      'RECOLLECT_PORT=5000 recollect serve': 'on another port',
    },
  },
  work: {
    about:
      'A worker does what a server does in the background: it indexes, runs the jobs of plugins and notifies them. It listens at no port. Any number of workers and servers share a database; set RECOLLECT_RUNNERS=off for the servers, which then answer requests only.',
    examples: {
      'recollect work': 'start a worker',
      'RECOLLECT_DATABASE_URL=postgres://recollect@db.example/recollect recollect work': 'on another machine',
    },
  },
  service: {
    about:
      'On Linux the service is a systemd unit of your account, on macOS a launchd agent, on Windows a scheduled task. It gets the settings that hold in this terminal; afterwards they are in the file that status names.',
    examples: {
      'recollect service install': 'start the server now and at each login',
      'recollect service status': 'see whether it runs, and where its settings are',
    },
  },
  update: {
    about:
      'For copies that npm has installed. The new version is installed beside the present one and started once, a backup is made, and the service is started again. If it does not answer, the former version and the backup come back. Nothing asks the registry but this command.',
    examples: {
      'recollect update --check': 'say whether there is a newer version',
      'recollect update': 'install it',
      'recollect update recollect-0.2.0-linux-x64.tgz': 'install a package file',
    },
  },
  'service install': {
    about: 'Installing again keeps the settings, and starts the present version.',
    examples: {
      'recollect service install': 'install and start the service',
      'RECOLLECT_PORT=5000 recollect service install': 'on another port',
    },
  },
  'service status': {
    examples: {
      'recollect service status': 'show the state of the service',
      'recollect service status --json': 'for a program',
    },
  },
  'service logs': {
    examples: {
      'recollect service logs': 'show the last 50 messages',
      'recollect service logs --lines 500 --follow': 'show more, and wait for further ones',
    },
  },
  'service restart': {
    about: 'Accepted memories are kept. Requests of the web app and of assistants are sent again.',
    examples: {
      'recollect service restart': 'apply a change of the settings file',
      'recollect service restart && recollect service status': 'and see whether it runs',
    },
  },
  'service uninstall': {
    examples: {
      'recollect service uninstall': 'stop the service, and start it no more',
      'recollect service uninstall && recollect serve': 'serve in this terminal instead',
    },
  },
  open: {
    about: 'The server must be running. Without a display, the command only prints the address.',
    examples: {
      'recollect open': 'open the web app',
      'recollect open @1': 'open the first memory of the last list',
    },
  },
  capture: {
    about:
      'Nothing is saved twice: a duplicate only updates title, tags and note. A memory is found by words at once, and by meaning as soon as it has embeddings.',
    examples: {
      'recollect capture https://example.com/article': 'save a web page',
      'recollect capture notes.md paper.pdf --tag project': 'save two files with a tag',
      'recollect capture --recursive ~/notes': 'save all texts of a folder',
      'recollect capture --whole-page https://example.com/prices': 'save all text of a page, with its menus',
      'recollect capture --text "Call the plumber" --tag todo': 'save words as a note',
      'pbpaste | recollect capture - --title "Recipe"': 'save what another program prints',
    },
  },
  fetch: {
    about:
      'Bookmarks are imported without the text of their pages. This gets it, with few requests to one site at a time, and can be stopped and run again. Nothing is fetched from your own network without --private. Pages that need a login are not what you see: save those with the extension.',
    examples: {
      'recollect fetch': 'get the pages of all links',
      'recollect fetch --tag recipes --limit 100': 'of some',
      'recollect fetch @1': 'of the first link of the last list',
      'recollect fetch --again site:example.com':
        'read the saved pages of a site anew, with their notes and highlights kept',
    },
  },
  search: {
    about:
      'Operators narrow a search: site:, source:, tag:, by:, before:, after: and is:. recollect help operators explains them. A phrase in quotation marks must occur word for word, and a word after a minus must not. A word that no text has is corrected to the nearest that one has, if the words as typed find nothing and it is not an English word; otherwise, a line asks whether another was meant. Words such as "last week" select what was saved then; --as-typed does neither. --careful has a second model read the ten best results with the query, if that takes at most 1.5 seconds and the query is short. The exit code is 1 if nothing was found.',
    examples: {
      'recollect search how hot should the water be': 'search by meaning and by words',
      'recollect search "tag:project after:2026-01 deadline"': 'search only some memories',
      'recollect search -- -tag:done deadline': 'leave some out; -- stands before what begins with a minus',
      'recollect search --site wikipedia.org --limit 3': 'the three newest of a site',
      'recollect search kettles last week': 'search what was saved last week',
      'recollect search --saved "to read" coffee': 'run a saved search, with a word added',
    },
  },
  recent: {
    examples: {
      'recollect recent': 'list the 20 newest memories',
      'recollect recent --site wikipedia.org --limit 5': 'the five newest of a site',
      'recollect recent --place inbox': 'what you have not sorted yet',
      'recollect recent --unread --starred': 'starred memories that you have not read yet',
    },
  },
  searches: {
    about: 'A saved search is a query under a name. The web app shows them in its navigation.',
    examples: {
      'recollect searches': 'list the saved searches',
      'recollect searches save "to read" is:unread tag:papers': 'save one',
    },
  },
  'searches save': {
    examples: {
      'recollect searches save "to read" is:unread tag:papers': 'save a search under a name',
      'recollect searches save tea green tea': 'one of words',
    },
  },
  'searches rename': {
    examples: {
      'recollect searches rename tea "Green tea"': 'give one another name',
      'recollect searches rename "to read" later --json': 'print the search as JSON',
    },
  },
  'searches remove': {
    examples: {
      'recollect searches remove "to read"': 'remove one; the memories are kept',
      'recollect searches remove tea --json': 'print its id as JSON',
    },
  },
  show: {
    about: 'On a terminal, a text that is longer than the screen opens in a pager, which PAGER names.',
    examples: {
      'recollect show @1': 'print the first memory of the last list',
      'recollect show 019f0c1e --json': 'print all that is known of a memory as JSON',
    },
  },
  related: {
    examples: {
      'recollect related @1': 'memories similar to the first one of the last list',
      'recollect related 019f0c1e --limit 10': 'the ten most similar',
    },
  },
  history: {
    about:
      'Former values are kept for 30 days, or for RECOLLECT_HISTORY_DAYS. The text of a conversation is never edited.',
    examples: {
      'recollect history @1': 'list the changes of a memory',
      'recollect history @1 --show 0': 'print it as it was saved',
      'recollect history @1 --restore 2': 'put back what change 2 left',
    },
  },
  edit: {
    about: 'Fields without an option keep their values. recollect undo reverts the edit.',
    examples: {
      'recollect edit @1 --title "Green tea" --tag kitchen --untag todo': 'change the title and two tags',
      'recollect edit @1 --note ""': 'remove the note',
      'recollect edit @1 --star --mark read': 'star it and mark it as read',
      'recollect edit @1 --place archive': 'move it out of the inbox',
      'recollect edit @1 --text corrected.md': 'replace the text with a file',
    },
  },
  delete: {
    about:
      'A query of operators such as site: or before: deletes everything that matches. A query with words deletes the first results that a search shows. The trash keeps memories for 30 days.',
    examples: {
      'recollect delete @1 @3': 'delete two memories of the last list',
      'recollect delete --query "site:example.org before:2025-01" --dry-run': 'count what would be deleted',
    },
  },
  undo: {
    about:
      'A change can be undone for 30 days, or for RECOLLECT_HISTORY_DAYS. Memories that were changed again since are skipped.',
    examples: {
      'recollect undo 019f0c1e': 'undo the change whose id begins like this',
      [`recollect undo ${ID} --json`]: 'report what was undone as JSON',
    },
  },
  undelete: {
    examples: {
      'recollect undelete 019f0c1e': 'restore the memory whose id begins like this',
      'recollect undelete @2': 'after recollect trash: restore the second of its list',
    },
  },
  trash: {
    about: 'The trash keeps memories for 30 days.',
    examples: {
      'recollect trash': 'list the trash',
      'recollect trash restore @1': 'take the first of its list out',
      'recollect trash empty': 'delete everything in it permanently',
    },
  },
  'trash restore': {
    examples: {
      'recollect trash restore @1 @2': 'take two memories of the last list out',
      'recollect trash restore 019f0c1e': 'the memory whose id begins like this',
    },
  },
  'trash empty': {
    about: 'This cannot be undone.',
    examples: {
      'recollect trash empty': 'delete all of it, after asking',
      'recollect trash empty 019f0c1e --yes': 'delete one memory without asking',
    },
  },
  tags: {
    about:
      'Tags are the same if they differ only in case; a new one is spelled as the first memory spells it. A comma separates tags everywhere, so --tag "tea, green" adds two. A memory has up to 100 tags of up to 100 characters.',
    examples: {
      'recollect tags': 'list all tags',
      'recollect tags --once': 'list tags of a single memory, often typing errors',
      'recollect tags rename recipe recipes --to cooking': 'merge two tags',
      'recollect tags remove todo': 'remove a tag everywhere',
    },
  },
  'tags rename': {
    about: 'recollect undo takes the change back.',
    examples: {
      'recollect tags rename recipe --to cooking': 'rename a tag',
      'recollect tags rename recipe recipes --to cooking': 'merge two tags',
    },
  },
  'tags remove': {
    about: 'recollect undo takes the change back.',
    examples: {
      'recollect tags remove todo': 'remove a tag from all memories',
      'recollect tags remove todo later --json': 'remove two, and report as JSON',
    },
  },
  highlights: {
    examples: {
      'recollect highlights water temperature': 'list the passages with these words',
      'recollect highlights --memory @1': 'list the highlights of one memory',
      'recollect highlights --markdown > highlights.md': 'write all of them in full',
    },
  },
  review: {
    about:
      'Each day has up to five passages of other days, the longest unseen first and spread over memories. They stay the same all day. A kept passage comes again once the others have been seen.',
    examples: {
      'recollect review': 'show the passages of today',
      'recollect review --keep 1,2 --dismiss 3': 'decide on three of them',
      'recollect review --keep all': 'see all of them again on a later day',
    },
  },
  export: {
    about:
      'The file holds everything: ids, times, tags, notes, metadata, repeated captures, highlights and the trash. A name that ends in .gz is compressed.',
    examples: {
      'recollect export --out memories.jsonl.gz': 'everything, in a compressed file',
      'recollect export tag:work --format markdown --out ~/Notes/Work': 'some of it, as a folder of notes',
      'recollect export | grep -c tea': 'to standard output',
    },
  },
  import: {
    about:
      'Restores ids, times and the trash. Does not change memories whose ids already exist. Also reads the exports of ChatGPT, Claude, browsers (bookmarks), Evernote, Notion, Pocket, Karakeep and others, as docs/importing.md lists, folders of notes, and books and documents.',
    examples: {
      'recollect import ~/Downloads/chatgpt.zip': 'bring conversations from ChatGPT',
      'recollect import --list': 'list the last imports, each with the id that undoes it',
      'recollect import --dry-run bookmarks.html': 'see what would be imported',
      'recollect import ~/Vault --tag vault': 'bring a folder of notes',
      'recollect import memories.jsonl.gz': 'import a compressed export',
      'recollect import - < memories.jsonl': 'import from standard input',
    },
  },
  watch: {
    about:
      'Runs until you stop it. What changes in a file updates its memory, a deleted file moves its memory to the trash, and a renamed one keeps it. A server does the same for the folders in RECOLLECT_WATCH.',
    examples: {
      'recollect watch ~/Notes': 'keep a vault in step with its memories',
      'recollect watch ~/Papers --tag paper': 'tag what is new',
    },
  },
  status: {
    examples: {
      'recollect status': 'show the state',
      'recollect status --json': 'for a script',
    },
  },
  backup: {
    about:
      'The copy is opened, checked and hashed before it counts. The server also makes backups automatically; docs/reliability.md says when. A lost passphrase cannot be recovered.',
    examples: {
      'recollect backup': 'write one into the folder of the backups',
      'recollect backup --out /media/usb/ --encrypt': 'write an encrypted one to another disk',
      'recollect restore --list': 'list the backups',
    },
  },
  restore: {
    about: 'The server must be stopped. The present store is moved into a folder beside it, which is not deleted.',
    examples: {
      'recollect restore --list': 'list the backups',
      'recollect restore': 'restore the newest good one, after asking',
      'recollect restore --memory 01a1fdc6': 'restore one memory that the disk has damaged',
      'recollect restore /media/usb/recollect-2026-11-23T01-20-33Z-manual.db.age': 'restore an encrypted one',
    },
  },
  migrate: {
    about:
      'Copies everything, compares both stores, and then marks the source, which no command uses from then on. Stop all servers first. Ctrl+C stops the move; the same command continues it. A password may be in PGPASSWORD or ~/.pgpass instead of the URL.',
    examples: {
      'recollect migrate --to postgres://recollect@db.example/recollect': 'move the store into PostgreSQL',
      'recollect migrate --from postgres://recollect@db.example/recollect --to sqlite:recollect.db':
        'move it back into a file',
    },
  },
  database: {
    about:
      'For a store in PostgreSQL (RECOLLECT_DATABASE_URL). A store on one server needs no cluster. docs/scaling.md says when a cluster helps.',
    examples: {
      'recollect database distribute': 'spread the store over the machines of a Citus cluster',
      'recollect database distribute --json': 'the same, with the names of the tables as JSON',
    },
  },
  'database distribute': {
    about:
      'RECOLLECT_DATABASE_URL names the coordinator. Each user stays on one machine, and small tables are copied to all. Stop all servers first. It can be repeated: tables that are distributed already are left out. Row-level security is off in a cluster.',
    examples: {
      'recollect database distribute': 'distribute the store',
      'recollect database distribute --json': 'the same, with the names of the tables as JSON',
    },
  },
  doctor: {
    about:
      'The exit code is 1 if something is wrong. A repair changes no memory: it makes again what derives from them.',
    examples: {
      'recollect doctor': 'check everything',
      'recollect doctor --fix': 'repair what can be made again',
      'recollect doctor search': 'test how well search finds your own memories',
      'recollect doctor --salvage ~/salvaged': 'read what can be read of a damaged store',
    },
  },
  'doctor search': {
    about: 'It asks titles, words of sentences and highlights of your own memories, and sends nothing anywhere.',
    examples: {
      'recollect doctor search': 'how many of them are found, and which are not',
      'recollect doctor search --json': 'the same for a script',
    },
  },
  keys: {
    examples: {
      'recollect keys create phone --scope capture:write': 'a key that can only save',
      'recollect keys list': 'list the keys and when they were last used',
    },
  },
  'keys create': {
    about: 'Without --scope, the key gets every scope except admin and operate, which are reserved for the owner.',
    examples: {
      'recollect keys create phone --scope capture:write --expires 90d': 'a key that can save for 90 days',
      'recollect keys create agent --scope memory:read --scope capture:write': 'one that can find and save',
    },
  },
  'keys list': {
    examples: {
      'recollect keys list': 'list the keys',
      'recollect keys list --json': 'for a script',
    },
  },
  'keys revoke': {
    examples: {
      'recollect keys revoke rec_4fGh28sK': 'revoke the key with this prefix',
      'recollect keys revoke rec_4fGh28sK --json': 'report as JSON',
    },
  },
  people: {
    about: 'Without a subcommand, it lists everyone with role, state, size and quota.',
    examples: {
      'recollect people': 'list the people',
      'recollect people invite Ann': 'invite someone, and print the link',
    },
  },
  'people invite': {
    about: 'The link is valid once and for seven days. The person who opens it makes a passkey in that browser.',
    examples: {
      'recollect people invite Ann --role member --memories 20000': 'a person with a quota',
      'recollect people invite Ann --again': 'a new link for another device',
    },
  },
  'people change': {
    examples: {
      'recollect people change Ann --role guest': 'Ann can only read',
      'recollect people change Ann --memories none --megabytes 500': 'another quota',
    },
  },
  'people disable': {
    examples: {
      'recollect people disable Ann': 'Ann has no access',
      'recollect people disable Ann --json': 'for a script',
    },
  },
  'people enable': {
    examples: {
      'recollect people enable Ann': 'Ann has access again',
      'recollect people enable Ann --json': 'for a script',
    },
  },
  'people export': {
    examples: {
      'recollect people export Ann --out ann.jsonl': 'write everything of Ann into this file',
      'recollect people export Ann --out exports': 'put it into this folder',
    },
  },
  'people delete': {
    about: 'Backups from before still have everything.',
    examples: {
      'recollect people delete Ann': 'delete Ann, after a question',
      'recollect people delete Ann --yes --json': 'without one, with the receipt as JSON',
    },
  },
  extension: {
    examples: {
      'recollect extension package --out recollect.zip': 'write the extension to this file',
      'recollect extension package --out firefox.zip --browser firefox': 'the one for Firefox',
    },
  },
  'extension package': {
    examples: {
      'recollect extension package --out recollect.zip': 'write the extension to this file',
      'recollect extension package --out firefox.zip --browser firefox': 'the one for Firefox',
    },
  },
  mcp: {
    about: 'Clients start this command themselves. recollect mcp install sets a client up to do so.',
    examples: {
      'recollect mcp install claude-desktop': 'set Claude Desktop up',
      'recollect mcp --print-config cursor': 'print what another client needs',
    },
  },
  'mcp install': {
    about: 'Keeps a copy beside the file of the settings, and leaves its other content unchanged.',
    examples: {
      'recollect mcp install claude-desktop': 'show the change, then ask',
      'recollect mcp install vscode --yes': 'change without asking',
    },
  },
  plugins: {
    examples: {
      'recollect plugins list': 'list plugins and their jobs',
      'recollect plugins install daily-digest': 'install one that ships with Recollect',
      'recollect plugins run daily-digest digest': 'run a job now',
    },
  },
  'plugins list': {
    examples: {
      'recollect plugins list': 'list plugins and their jobs',
      'recollect plugins list --json': 'for a script',
    },
  },
  'plugins install': {
    about:
      'Installing a plugin runs its code under your account, in its own process with limits. Install only what you trust.',
    examples: {
      'recollect plugins install daily-digest': 'one that ships with Recollect',
      'recollect plugins install ./my-plugin': 'your own from a folder',
      'recollect plugins install link-rot --allow network': 'and let it use the network',
    },
  },
  'plugins uninstall': {
    examples: {
      'recollect plugins uninstall daily-digest': 'remove a plugin',
      'recollect plugins uninstall daily-digest --json': 'report as JSON',
    },
  },
  'plugins enable': {
    examples: {
      'recollect plugins enable auto-tag': 'enable a plugin again',
      'recollect plugins enable link-rot --allow network': 'and let it use the network',
    },
  },
  'plugins disable': {
    examples: {
      'recollect plugins disable auto-tag': 'disable a plugin',
      'recollect plugins disable auto-tag --json': 'report as JSON',
    },
  },
  'plugins configure': {
    about:
      'A value is read as JSON where it is JSON, and as text otherwise. A name without a value goes back to its default.',
    examples: {
      'recollect plugins configure auto-tag': 'show the configuration',
      'recollect plugins configure auto-tag confidence=0.7 \'ignore=["digest"]\'': 'change two values',
      'recollect plugins configure auto-tag confidence=': 'go back to the default',
    },
  },
  'plugins run': {
    examples: {
      'recollect plugins run daily-digest digest': 'run a job now',
      'recollect plugins run related': 'the name of the job may be left out if the plugin has one',
    },
  },
  'plugins schedule': {
    about: 'The server runs due jobs. Without a server, run recollect jobs:run-due.',
    examples: {
      'recollect plugins schedule daily-digest --every 1d': 'run its job once a day',
      'recollect plugins schedule daily-digest --off': 'only when asked to',
    },
  },
  'plugins runs': {
    examples: {
      'recollect plugins runs daily-digest': 'list the runs of all its jobs',
      'recollect plugins runs daily-digest digest': 'the runs of one job',
    },
  },
  'plugins new': {
    examples: {
      'recollect plugins new ./my-plugin': 'create a plugin in a new folder',
      'recollect plugins new ./my-plugin --json': 'report as JSON',
    },
  },
  'jobs:run-due': {
    about: 'The server does this automatically; the command is for machines on which no server runs.',
    examples: {
      'recollect jobs:run-due 10': 'run at most ten jobs',
      '* * * * * recollect jobs:run-due --json': 'a line of a crontab',
    },
  },
  reindex: {
    examples: {
      'recollect reindex': 'make the missing embeddings, with progress',
      'recollect reindex --json': 'report as JSON',
    },
  },
  'jobs:run-indexing': {
    about: 'The server does this automatically; the command is for machines on which no server runs.',
    examples: {
      'recollect jobs:run-indexing': 'index what waits',
      '*/15 * * * * recollect jobs:run-indexing --json': 'a line of a crontab',
    },
  },
  model: {
    about: 'recollect help settings also lists the settings that choose a model.',
    examples: {
      'recollect model': 'show the model',
      'recollect model use multilingual': 'use another one, unless it finds clearly less',
      'recollect model --json': 'for a script',
    },
  },
  'model use': {
    about:
      'It copies at most 200 memories into memory, embeds them with both models, and asks both the same questions. A model that finds clearly less is not used, unless you add --force. A running server changes to it at once if it ships; otherwise it is used from the next start on. All memories then get embeddings of it.',
    examples: {
      'recollect model use multilingual': 'use the model that reads 23 languages',
      'recollect model use ~/models/e5-small': 'use the model in this folder',
    },
  },
  help: {
    examples: {
      'recollect help tags rename': 'the page of a command',
      'recollect help operators': 'a page on a topic',
    },
  },
  complete: {
    about:
      'Completion knows the commands and their options, and reads ids, tags, sites, plugins and keys from the store.',
    examples: {
      'source <(recollect complete zsh)': 'for this zsh; put it into ~/.zshrc to keep it',
      'source <(recollect complete bash)': 'for this bash; put it into ~/.bashrc to keep it',
      'recollect complete fish | source': 'for this fish',
    },
  },
};
