import { FALLBACK_ZONE, formatMoment } from '@ridewatch/contract/day';
import type { Language } from '../core/http/language.ts';

interface Link {
  readonly url: string;
  /** When it ends, ms since 1970 UTC. */
  readonly expiresMs: number;
}

const words: Readonly<
  Record<Language, { subject: string; lines: (url: string, until: string) => readonly string[] }>
> = {
  ru: {
    subject: 'новый пароль',
    lines: (url, until) => [
      'Чтобы задать новый пароль, откройте ссылку:',
      url,
      `Она действует один раз, до ${until} МСК.`,
      'Если вы не просили о новом пароле, ничего не делайте.',
    ],
  },
  en: {
    subject: 'new password',
    lines: (url, until) => [
      'To set a new password, open this link:',
      url,
      `It works once, until ${until} Moscow time.`,
      'If you did not ask for a new password, do nothing.',
    ],
  },
};

/** The mail with a link by which a user sets a new password. */
export function passwordLinkMail(
  { url, expiresMs }: Link,
  language: Language,
  company: string,
): { subject: string; text: string } {
  const { subject, lines } = words[language];
  const until = formatMoment(expiresMs, FALLBACK_ZONE, 'DD.MM.YYYY HH:mm');
  return { subject: `${company}: ${subject}`, text: `${lines(url, until).join('\n\n')}\n` };
}
