import { createTransport } from 'nodemailer';
import type { Config } from '../../core/config.ts';

/** Longest wait for a step of the mail server, ms. */
const TIMEOUT_MS = 10_000;

/** A mail in plain text. */
export interface Mail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

/** Sends a mail. @throws Error when the mail server refuses it or does not answer */
export type SendMail = (mail: Mail) => Promise<void>;

/** How mail is sent; undefined without SMTP_URL. */
export function createMailSender({
  smtpUrl,
  mailFrom,
  companyName,
}: Pick<Config, 'smtpUrl' | 'mailFrom' | 'companyName'>): SendMail | undefined {
  if (smtpUrl === undefined) return undefined;
  const transport = createTransport({
    url: smtpUrl,
    ...{ connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
  return async ({ to, subject, text }) => {
    await transport.sendMail({
      from: { name: companyName, address: mailFrom },
      to: [...to],
      subject,
      text,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  };
}
