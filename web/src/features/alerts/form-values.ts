// The settings as a person types them: texts until they are stored.
import {
  type AttentionKind,
  type AttentionSettings,
  MAX_MAIL_ADDRESSES,
  MAX_WEBHOOK_LENGTH,
  type setAttentionSettings,
} from '@ridewatch/contract/attention';
import type { BodyOf } from '@ridewatch/contract/endpoint';
import { MAX_TEXT_LENGTH } from '@ridewatch/contract/primitives';
import { fieldProblem } from '../../forms/field-problem.ts';
import type { FormTexts } from '../../forms/texts-ru.ts';
import type { AlertsTexts } from './texts-ru.ts';

/** The form. */
export interface AlertsForm {
  readonly silentMinutes: string;
  readonly cameraMinutes: string;
  readonly imbalancePercent: string;
  readonly kinds: readonly AttentionKind[];
  readonly hasQuiet: boolean;
  readonly quietFrom: string;
  readonly quietTo: string;
  readonly timezone: string;
  readonly webhookUrl: string;
  readonly newSecret: boolean;
  readonly mailTo: string;
  readonly language: 'ru_RU' | 'en_US';
}

/** The problems, by field. */
export type AlertsProblems = { readonly [Key in keyof AlertsForm]?: string | undefined };

/** Kinds of customers, and those that only the installation has. */
const OF_CUSTOMERS = [
  'silent_bus',
  'camera_offline',
  'imbalance',
  'merge_failed',
  'runs_out',
] as const satisfies readonly AttentionKind[];
const OF_INSTALLATION = [
  'disk_full',
  'queue_starved',
  'unknown_unit',
  'upstream_late',
  'upstream_refuses',
  'odd_counter',
] as const satisfies readonly Exclude<AttentionKind, (typeof OF_CUSTOMERS)[number]>[];

/** The kinds that settings can send: those of the server only with the installation's. */
export function kindsOf(clientId: number | null): readonly AttentionKind[] {
  return clientId === null ? [...OF_CUSTOMERS, ...OF_INSTALLATION] : OF_CUSTOMERS;
}

/** The form of stored settings. */
export function formOf(stored: AttentionSettings): AlertsForm {
  return {
    silentMinutes: String(stored.silent_minutes),
    cameraMinutes: String(stored.camera_minutes),
    imbalancePercent: String(stored.imbalance_percent),
    kinds: stored.sent_kinds,
    hasQuiet: stored.quiet_hours !== null,
    quietFrom: stored.quiet_hours?.from ?? '22:00',
    quietTo: stored.quiet_hours?.to ?? '06:00',
    timezone: stored.timezone,
    webhookUrl: stored.webhook_url ?? '',
    newSecret: false,
    mailTo: stored.mail_to.join('\n'),
    language: stored.language,
  };
}

type Settings = BodyOf<typeof setAttentionSettings>;

/**
 * Gives what a form without problems changes, and what the user saw of it, as the call takes both.
 * @param base the form of the stored settings that the user saw
 */
export function changesOf(form: AlertsForm, base: AlertsForm): Settings {
  const [wanted, seen] = [settingsOf(form), settingsOf(base)];
  const keys = Object.keys(wanted) as (keyof typeof wanted)[];
  const changed = keys.filter((key) => JSON.stringify(wanted[key]) !== JSON.stringify(seen[key]));
  const pick = (from: object) =>
    Object.fromEntries(Object.entries(from).filter(([key]) => changed.some((one) => one === key)));
  const isNew = form.newSecret && wanted.webhook_url !== null;
  return { ...pick(wanted), seen: pick(seen), new_secret: isNew };
}

function settingsOf(form: AlertsForm): Omit<Settings, 'seen' | 'new_secret'> {
  const webhook = form.webhookUrl.trim();
  return {
    silent_minutes: Number(form.silentMinutes),
    camera_minutes: Number(form.cameraMinutes),
    imbalance_percent: Number(form.imbalancePercent),
    sent_kinds: [...form.kinds],
    quiet_hours: form.hasQuiet ? { from: form.quietFrom.trim(), to: form.quietTo.trim() } : null,
    timezone: form.timezone.trim(),
    webhook_url: webhook === '' ? null : webhook,
    mail_to: addressesOf(form.mailTo),
    language: form.language,
  };
}

/** Finds what is wrong with a form; the server has the same rules. */
export function problemsOf(
  form: AlertsForm,
  text: AlertsTexts,
  messages: FormTexts['problems'],
): AlertsProblems {
  const whole = (value: string, least: number, most: number) =>
    fieldProblem(value, { isRequired: true, number: { least, most, isWhole: true } }, messages);
  const time = (value: string) =>
    form.hasQuiet && !/^([01]\d|2[0-3]):[0-5]\d$/.test(value.trim())
      ? text.quietProblem
      : undefined;
  const mails = addressesOf(form.mailTo);
  const areMails =
    mails.length <= MAX_MAIL_ADDRESSES &&
    mails.every((one) => /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(one));
  return {
    silentMinutes: whole(form.silentMinutes, 5, 1440),
    cameraMinutes: whole(form.cameraMinutes, 5, 1440),
    imbalancePercent: whole(form.imbalancePercent, 1, 100),
    quietFrom: time(form.quietFrom),
    quietTo: time(form.quietTo),
    timezone: isZone(form.timezone.trim()) ? undefined : text.timezoneProblem,
    webhookUrl: isAddress(form.webhookUrl.trim())
      ? fieldProblem(form.webhookUrl, { mostLength: MAX_WEBHOOK_LENGTH }, messages)
      : text.webhookProblem,
    mailTo: areMails
      ? mails
          .map((one) => fieldProblem(one, { mostLength: MAX_TEXT_LENGTH }, messages))
          .find(Boolean)
      : text.mailProblem(MAX_MAIL_ADDRESSES),
  };
}

const addressesOf = (typed: string): string[] => typed.split(/[\s,;]+/).filter(Boolean);

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}

function isAddress(typed: string): boolean {
  return typed === '' || (/^https?:\/\/[^\s/]/.test(typed) && URL.canParse(typed));
}
