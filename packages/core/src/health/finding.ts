/** The result of one check. */
export interface Finding {
  check: string;
  /** `warning`: worth knowing. `error`: something is lost or does not work until it is repaired. */
  severity: 'ok' | 'warning' | 'error';
  message: string;
  /** Whether it was repaired. Missing if nothing was tried. */
  fixed?: boolean;
}

export interface DoctorReport {
  /** Whether no error is left. */
  ok: boolean;
  findings: readonly Finding[];
}

export function ok(check: string, message: string): Finding {
  return { check, severity: 'ok', message };
}

export function warning(check: string, message: string): Finding {
  return { check, severity: 'warning', message };
}

export function failure(check: string, message: string): Finding {
  return { check, severity: 'error', message };
}

/** The report of all findings. */
export function reportOf(findings: readonly Finding[]): DoctorReport {
  return { ok: findings.every(({ severity, fixed }) => severity !== 'error' || fixed === true), findings };
}
