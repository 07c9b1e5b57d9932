import { join } from 'node:path';
import type { ServicePlan } from './plan.js';
import { escapeXml, unescapeXml } from './xml.js';

export const LABEL = 'app.recollect.server';

export function agentFile(home: string): string {
  return join(home, 'Library', 'LaunchAgents', `${LABEL}.plist`);
}

/** The launchd agent of a service (`launchd.plist(5)`): it starts at login, and again at most every 10 s. */
export function launchdAgent({ command, home }: ServicePlan): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${command.map((word) => `    <string>${escapeXml(word)}</string>`).join('\n')}
  </array>
  <key>WorkingDirectory</key>
  <string>${escapeXml(home)}</string>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>10</integer>
  <key>ExitTimeOut</key>
  <integer>120</integer>
  <key>ProcessType</key>
  <string>Adaptive</string>
  <key>Umask</key>
  <integer>63</integer>
</dict>
</plist>
`;
}

/** The arguments of the program that an agent starts; null if it cannot be read. */
export function programOfAgent(plist: string): string[] | null {
  const list = plist.split('<key>ProgramArguments</key>')[1]?.split('</array>')[0];
  if (list === undefined) return null;
  return [...list.matchAll(/<string>([^<]*)<\/string>/g)].map(([, text = '']) => unescapeXml(text));
}
