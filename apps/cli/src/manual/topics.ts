import { Help } from 'commander';
import { settings } from '../settings.js';

/** A page of the help that belongs to no single command. */
export interface Topic {
  summary: string;
  text: string;
}

const operators = `A query may hold words and operators. An operator selects memories; words find by
meaning and by word among them.

  tag:recipe          memories with this tag or one below it (recipe/cakes), in any
                      case of the letters
  site:example.org    pages of this site and its subdomains
  source:chatgpt      one of url, note, file, chatgpt, claude, openclaw
  by:extension        saved by the extension, bookmarklet, web app (web), command
                      line (cli), an assistant (mcp), a plugin or over http;
                      by:mcp:NAME is one assistant, by:key:NAME one API key
  after:2026-01       captured then or later
  before:2026-01-31   captured earlier
  is:starred          also is:unread, is:reading and is:read
  is:inbox            also is:later and is:archive: where you keep it
  is:link             links, such as imported bookmarks, without the text of the page
  is:generated        what plugins wrote, which words alone do not find

An operator may be repeated: a memory needs one of several sites, sources, clients and
states, and all of several tags. Of several dates after: or before:, the last counts.
A minus before one of the others excludes: -tag:recipe, -site:example.org, -is:read.

Quotation marks keep a value with spaces together: tag:"to read". An operator that
cannot be read is searched as words, and a warning says so.

See also: recollect help dates`;

const ids = `A command that takes a memory or a change accepts

  the whole id         019f0c1e-7d3a-7000-8a51-3c1b2f4d5e6f
  its beginning        019f0c1e, at least 4 characters that no other id begins with
  its place in a list  @1 is the first memory that search, recent, related or trash
                       last printed from this store, @2 the second

The shell completes ids once completion is set up: recollect complete --help`;

const dates = `A date is

  a year, a month or a day  2026, 2026-01, 2026-01-31 (in UTC)
  in other notations        31.1.2026, 31/1/2026, 2026/1/31; 1/2/2026 is rejected,
                            because it could mean two days
  counted from today        today, yesterday, "2 weeks ago", 14d, last month
  a time with its zone      2026-01-31T09:30:00Z

In a query, a value with spaces needs quotation marks: after:"2 weeks ago"`;

const exitCodes = `  0   all was done, or something was found
  1   something failed, or a search found nothing
  2   wrong usage: an unknown command or option, a missing or invalid value
  78  a rejected setting (EX_CONFIG); the message names it

Results go to standard output, messages and progress to standard error.`;

const output = `On a terminal, results have colours and fit its width; a text longer than the screen
opens in a pager. In a pipe or a file there is neither. Every command that prints
results takes --json, which prints times in UTC and the stored texts exactly.

  NO_COLOR=1      no colours (FORCE_COLOR=1 keeps them in a pipe)
  PAGER=cat       no pager; PAGER may name another than less`;

const introduction = `Nothing has to be configured. Settings are environment variables; docs/configuration.md
says more about them.`;

function describeSettings(): string {
  const rows = settings.map(({ name, byDefault, meaning }) =>
    [`  ${name}`, indent(meaning), ...(byDefault === '' ? [] : [indent(`Default: ${byDefault}`)])].join('\n'),
  );
  return [introduction, ...rows].join('\n\n');
}

/** A paragraph below its heading. */
function indent(text: string): string {
  return new Help().boxWrap(text, 80).replace(/^/gm, '      ');
}

/** The topics by the name after `recollect help`. */
export const topics: Readonly<Record<string, Topic>> = {
  operators: { summary: 'how to narrow a search', text: operators },
  ids: { summary: 'how to name a memory', text: ids },
  dates: { summary: 'how to write a date', text: dates },
  settings: { summary: 'the environment variables that are read', text: describeSettings() },
  output: { summary: 'colours, pager and JSON', text: output },
  'exit-codes': { summary: 'what the exit code means', text: exitCodes },
};
