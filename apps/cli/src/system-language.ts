/**
 * The language that the system is set to, by its tag, such as `de`; null if it names none. Programs that start without
 * a shell, as services do, often have none.
 *
 * @param environment in which POSIX names the locale: the first of LC_ALL, LC_MESSAGES and LANG that is set
 * @param fallback the locale where the environment names none; on Windows, Node knows the system's own
 * @example
 * systemLanguage({ LANG: 'pt_BR.UTF-8' }); // 'pt'
 * systemLanguage({ LANG: 'C.UTF-8' }); // null
 */
export function systemLanguage(
  environment: Readonly<Record<string, string | undefined>>,
  fallback = process.platform === 'win32' ? new Intl.NumberFormat().resolvedOptions().locale : '',
): string | null {
  const { LC_ALL, LC_MESSAGES, LANG } = environment;
  const locale = LC_ALL || LC_MESSAGES || LANG || fallback;
  // The C locale, also named POSIX, says nothing of a language.
  return /^([a-z]{2,3})(?:[_.@-]|$)/.exec(locale)?.[1] ?? null;
}
