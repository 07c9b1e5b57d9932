import { join } from 'node:path';
import type { Session } from './config.js';
import type { ServicePlan } from './plan.js';

export const UNIT = 'recollect.service';

/** The folder of a user's units. */
export function unitFile({ configFolder }: Session, home: string): string {
  return join(configFolder || join(home, '.config'), 'systemd', 'user', UNIT);
}

/**
 * The systemd unit of a service, for the manager of one user. It can write to its own folders only, and waits longer
 * after each crash, up to a minute. A wrong setting (78, EX_CONFIG) is not tried again.
 */
export function systemdUnit({ command, writable }: ServicePlan): string {
  return `[Unit]
Description=Recollect, a memory that you own
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStart=${command.map(argument).join(' ')}
Restart=on-failure
RestartSec=1
RestartSteps=6
RestartMaxDelaySec=60
RestartPreventExitStatus=2 78
TimeoutStopSec=120
UMask=0077
NoNewPrivileges=yes
ProtectSystem=strict
ReadWritePaths=${writable.map((path) => quoted(`-${path}`)).join(' ')}
PrivateTmp=yes
ProtectControlGroups=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_NETLINK AF_UNIX
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native

[Install]
WantedBy=default.target
`;
}

/** An argument of a command line, in which a dollar sign would name a variable. */
function argument(text: string): string {
  return quoted(text).replaceAll('$', '$$$$');
}

/** A value in which a per cent sign would be a specifier. */
function quoted(text: string): string {
  const escaped = text.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%');
  return /^[\w@+=:,./%-]+$/.test(text) ? escaped : `"${escaped}"`;
}

/** The arguments of the program that a unit starts; null if it cannot be read. */
export function programOf(unit: string): string[] | null {
  const [, line] = /^ExecStart=(.+)$/m.exec(unit) ?? [];
  return line === undefined ? null : wordsOf(line);
}

function wordsOf(line: string): string[] {
  const words: string[] = [];
  let word = '';
  let isQuoted = false;
  const characters = [...line.replaceAll('$$', () => '$').replaceAll('%%', '%')];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? '';
    if (character === '\\') word += characters[++at] ?? '';
    else if (character === '"') isQuoted = !isQuoted;
    else if (character !== ' ' || isQuoted) word += character;
    else {
      words.push(word);
      word = '';
    }
  }
  return [...words, word];
}
