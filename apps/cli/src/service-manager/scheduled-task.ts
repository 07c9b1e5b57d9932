import type { ServicePlan } from './plan.js';
import { escapeXml, unescapeXml } from './xml.js';

export const TASK = 'Recollect';

/**
 * The scheduled task of a service, in the schema of Task Scheduler 1.2. It starts at logon without a window, and again
 * a minute after a failure. `UserId` is the account's name, such as `DESKTOP\\ann`.
 */
export function scheduledTask({ command, home }: ServicePlan, userId: string): string {
  const [program = '', ...words] = command;
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>Recollect, a memory that you own</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <UserId>${escapeXml(userId)}</UserId>
    </LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${escapeXml(userId)}</UserId>
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>255</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${escapeXml(program)}</Command>
      <Arguments>${escapeXml(words.map(quoted).join(' '))}</Arguments>
      <WorkingDirectory>${escapeXml(home)}</WorkingDirectory>
    </Exec>
  </Actions>
</Task>
`;
}

/** An argument for the C runtime of Windows. Paths cannot contain quotation marks there. */
function quoted(word: string): string {
  return /\s/.test(word) ? `"${word.replace(/\\$/, '\\\\')}"` : word;
}

/** The program that a task starts and its arguments; null if it cannot be read. */
export function programOfTask(xml: string): string[] | null {
  const [, program] = /<Command>([^<]*)<\/Command>/.exec(xml) ?? [];
  const [, words = ''] = /<Arguments>([^<]*)<\/Arguments>/.exec(xml) ?? [];
  if (program === undefined) return null;
  const list = unescapeXml(words).match(/"[^"]*"|\S+/g) ?? [];
  return [unescapeXml(program), ...list.map((word) => word.replace(/^"|"$/g, ''))];
}
