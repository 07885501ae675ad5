// Tells what a command changed, as people read it: fields as the forms call them, objects by name, moments in Moscow.
import type { AuditRow } from '@ridewatch/contract/admin-audit';
import { protocolNames } from '@ridewatch/contract/unit-protocols';
import { en as keysEn } from '../../api-keys/texts-en.ts';
import { ru as keysRu } from '../../api-keys/texts-ru.ts';
import { formatDay, formatNumber } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/language.ts';
import { en as calculatorEn } from '../calculator/texts-en.ts';
import { ru as calculatorRu } from '../calculator/texts-ru.ts';
import { en as ownEn } from './audit-field-texts-en.ts';
import { ru as ownRu } from './audit-field-texts-ru.ts';
import { actionName } from './audit-filters.ts';
import { jobErrorText } from './job-error.ts';
import { momentText } from './moments.ts';
import { en as newsEn } from './news-texts-en.ts';
import { ru as newsRu } from './news-texts-ru.ts';
import type { AdminTexts } from './texts-ru.ts';
import { en as upstreamEn } from './upstream-texts-en.ts';
import { ru as upstreamRu } from './upstream-texts-ru.ts';
import { protocolText } from './use-protocol-text.ts';

/** Values of a list that are named; the others are a number. */
const MOST_LISTED = 10;
const MOMENT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Fields that an answer has under another name than the form that sets them. */
const formFields: Readonly<Record<string, string>> = {
  ...{ client: 'client_id', clients: 'client_ids', integrators: 'integrator_ids' },
  ...{ group: 'group_id', groupIds: 'group_id', bus: 'bus_id', workplace_id: 'bus_id' },
  ...{ workplaceIds: 'bus_id', classifierId: 'classifier_id', importId: 'import' },
};
/** Fields that mean something else for one type of object. */
const ofType: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  camera: { enabled: 'inUse', live: 'type' },
  unit: { ended: 'ended_credentials', ending: 'ending_credentials' },
  job: { at: 'recorded_at' },
};
type UpstreamLabel =
  | 'host'
  | 'port'
  | 'enabled'
  | 'signIn'
  | 'signInId'
  | 'signInText'
  | 'name'
  | 'allClients'
  | 'clients'
  | 'withPeople'
  | 'lateMinutes'
  | 'numbers';
/** Fields of the form of an upstream, by its texts. */
const ofUpstream: Readonly<Record<string, UpstreamLabel>> = {
  ...{ name: 'name', host: 'host', port: 'port', enabled: 'enabled', sign_in: 'signIn' },
  ...{ sign_in_id: 'signInId', sign_in_text: 'signInText', all_clients: 'allClients' },
  ...{ clients: 'clients', client_ids: 'clients', with_people: 'withPeople' },
  ...{ late_minutes: 'lateMinutes', numbers: 'numbers' },
};
/** Numbers that name something: no group of digits is set apart. */
const NAMING = ['port', 'sign_in_id'];
/** Fields that name the object of a row, which says them itself. */
const namesObject = ({ object_type }: AuditRow, key: string): boolean =>
  object_type === 'unknown_unit' && (key === 'protocol' || key === 'protocol_id');

/** Commands whose `after` has only what changes, and their `before` all that was. */
const PARTIAL = ['update_route', 'update_route_stop'];

/** A field that a command changed; `was` is undefined where nothing was before, `is` where nothing came. */
export interface FieldChange {
  readonly field: string;
  readonly label: string;
  readonly was: string | undefined;
  readonly is: string | undefined;
}

/** The database orders the fields of a command by their length: these come first. */
const FIRST = [
  ...['name', 'login', 'device_id', 'date', 'from', 'date_from'],
  ...['entered', 'exited', 'entered_kids', 'exited_kids'],
];
const isLater = (key: string): boolean => !FIRST.includes(key);

/** The texts of the audit log alone. */
export const auditText = (): typeof ownRu => (currentLanguage() === 'en_US' ? ownEn : ownRu);

/**
 * The name of an unknown unit, which the log has in its rows: its protocol and its number there.
 * @returns undefined of other objects; of one whose id is a secret, its protocol and the number of its row
 */
export function nameOfUnknown({ object_type, object_id, after }: AuditRow): string | undefined {
  if (object_type !== 'unknown_unit' || !isObject(after)) return undefined;
  const { protocol, protocol_id: id } = after;
  if (typeof protocol !== 'string') return undefined;
  return [nameIn(protocolNames, protocol) ?? protocol, id ?? `№ ${object_id}`].join(' ');
}

/** Lists what a command changed, a field each. */
export function changesOf(row: AuditRow, text: AdminTexts): readonly FieldChange[] {
  const was = isObject(row.before) ? row.before : {};
  const is = isObject(row.after) ? row.after : {};
  const stored = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    (key) =>
      // Numbers of rows and keys of jobs say nothing to people.
      key !== 'id' &&
      !namesObject(row, key) &&
      !(row.object_type === 'job' && key === 'key') &&
      !(PARTIAL.includes(row.action) && !(key in is)) &&
      // Most tables create no routes.
      !(row.action === 'import' && key === 'routes' && is[key] === 0),
  );
  const keys = [...FIRST.filter((key) => stored.includes(key)), ...stored.filter(isLater)];
  const show = (key: string, from: Readonly<Record<string, unknown>>) =>
    key in from ? shown(key, from[key], row, text) : undefined;
  return keys.map((key) => ({
    field: key,
    label: labelOf(key, row.object_type, text),
    was: show(key, was),
    is: show(key, is),
  }));
}

function labelOf(key: string, objectType: string, text: AdminTexts): string {
  const isEnglish = currentLanguage() === 'en_US';
  const news: Readonly<Record<string, unknown>> = isEnglish ? newsEn : newsRu;
  const isNews = objectType === 'news' || objectType === 'message';
  if (isNews && typeof news[newsKeys[key] ?? key] === 'string') {
    return String(news[newsKeys[key] ?? key]);
  }
  const ofForm = objectType === 'upstream' ? ofUpstream[key] : undefined;
  if (ofForm !== undefined) return (isEnglish ? upstreamEn : upstreamRu)[ofForm];
  const named = ofType[objectType]?.[key] ?? formFields[key] ?? key;
  const forms: Readonly<Record<string, string>> = text.fields;
  const money: Readonly<Record<string, string>> = (isEnglish ? calculatorEn : calculatorRu).fields;
  const { title: _, hint: __, ...days } = text.retention;
  const ofRetention: Readonly<Record<string, unknown>> = days;
  const spoken: Readonly<Record<string, string>> = protocolText().fields;
  const label =
    auditText().fields[named] ??
    forms[named] ??
    spoken[named] ??
    money[named] ??
    ofRetention[named];
  return typeof label === 'string' ? label : key;
}
const newsKeys: Readonly<Record<string, string>> = {
  ...{ date_from: 'from', date_to: 'to', media: 'file' },
};

function shown(key: string, value: unknown, row: AuditRow, text: AdminTexts): string {
  // A count by hand that was taken back.
  if (value === null && row.action === 'set_manual_counts') return auditText().notCounted;
  if (value === null || value === undefined || value === '') return text.none;
  if (key === 'live') return text.kinds[value === true ? 'service' : 'door'];
  if (typeof value === 'boolean') return value ? text.yes : text.no;
  if (typeof value === 'number') {
    if (key === 'status') return nameIn(text.statuses, String(value)) ?? String(value);
    if (key === 'importId') return `№ ${value}`;
    if (NAMING.includes(key)) return `${value}`;
    return row.names[key]?.[value] ?? formatNumber(value);
  }
  if (typeof value === 'string') return wordOf(key, value, text);
  if (Array.isArray(value)) {
    const listed = value.slice(0, MOST_LISTED).map((one) => shown(key, one, row, text));
    const more = value.length - listed.length;
    return [...listed, ...(more > 0 ? [auditText().more(formatNumber(more))] : [])].join(', ');
  }
  if (!isObject(value)) return String(value);
  if (typeof value.name === 'string') return value.name;
  return Object.entries(value)
    .map(
      ([part, held]) => `${labelOf(part, row.object_type, text)}: ${shown(part, held, row, text)}`,
    )
    .join('; ');
}

function wordOf(key: string, value: string, text: AdminTexts): string {
  if (MOMENT.test(value)) return momentText(value);
  if (DAY.test(value)) return formatDay(value);
  if (key === 'action') return actionName(value);
  if (key === 'error') return jobErrorText(value, text);
  const isEnglish = currentLanguage() === 'en_US';
  const words: Readonly<Record<string, Readonly<Record<string, string>> | undefined>> = {
    role: text.roles,
    type: { ...text.busTypes, ...(isEnglish ? newsEn : newsRu).types },
    count_source: text.sources,
    type_calculation: text.calculations,
    calculation_event: (isEnglish ? calculatorEn : calculatorRu).events,
    task: text.jobs.tasks,
    objectType: text.audit.objects,
    sign_in: (isEnglish ? upstreamEn : upstreamRu).signIns,
    scopes: (isEnglish ? keysEn : keysRu).scopes,
    protocol: protocolNames,
    ...spokenWords(),
  };
  const { values, kinds } = auditText();
  return nameIn(words[key] ?? { ...values, ...kinds }, value) ?? value;
}

function spokenWords() {
  const { egts_counts, egts_raw_flag, egts_module_bytes, jt808_uploads, osmand_speed } =
    protocolText();
  return { egts_counts, egts_raw_flag, egts_module_bytes, jt808_uploads, osmand_speed };
}

const nameIn = (words: Readonly<Record<string, string>>, value: string): string | undefined =>
  Object.hasOwn(words, value) ? words[value] : undefined;
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
