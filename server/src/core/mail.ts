import { setTimeout as pause } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import type { Config } from './config.ts';

/** Longest wait for a step of the mail server, ms. */
const TIMEOUT_MS = 10_000;
/** Longest sending of one mail, ms: a server that goes on sending bytes never waits. Shorter than the lease of a job. */
const MAIL_LIMIT_MS = 30_000;

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
    const sent = transport.sendMail({
      from: { name: companyName, address: mailFrom },
      to: [...to],
      subject,
      text,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    await Promise.race([sent, refuseAfter(MAIL_LIMIT_MS)]);
  };
}

async function refuseAfter(ms: number): Promise<never> {
  await pause(ms, undefined, { ref: false });
  throw new Error(`The mail server took longer than ${ms / 1000} s.`);
}
