import type { AdminBus } from '@ridewatch/contract/admin-buses';
import { FALLBACK_ZONE, momentOf } from '@ridewatch/contract/day';
import type { ComponentType, ReactNode } from 'react';
import { fieldProblem } from '../../forms/field-problem.ts';
import type { FormTexts } from '../../forms/texts-ru.ts';
import { formatDay } from '../../i18n/format.ts';
import type { AdminTexts } from './texts-ru.ts';

/** A value while it is typed. */
export type FormValue = string | boolean | readonly number[] | null;
export type Values = Readonly<Record<string, FormValue>>;

export interface Option {
  readonly value: string;
  readonly label: string;
}

/** The properties of a control of a text. */
export interface ControlProps {
  readonly label: string;
  readonly value: string;
  readonly problem: string | undefined;
  readonly hint: string | undefined;
  readonly onChange: (value: string) => void;
}

/**
 * A field of a form, by what is typed and what is sent:
 * - `text`: a text, or null when it is empty; `area`: one of several lines
 * - `whole`, `decimal`: a number, or null when it is empty
 * - `choice`: one of few options; `pick`: one of many, by name, or null
 * - `many`: ids of several of many
 * - `yes`: yes or no
 * - `day`: a local day, or null when it may be empty
 * - `moment`: a moment in Moscow time, `2026-03-10T10:05:00`; without a time that can be read `2026-03-10T`
 */
export interface FormField {
  readonly key: string;
  readonly kind:
    | 'text'
    | 'area'
    | 'password'
    | 'whole'
    | 'decimal'
    | 'choice'
    | 'pick'
    | 'many'
    | 'yes'
    | 'day'
    | 'moment'
    | 'bus';
  readonly label: string;
  /** A control that few forms need; absent: that of the kind. */
  readonly Control?: ComponentType<ControlProps>;
  readonly isRequired?: boolean;
  /** A day that can be taken away; what its absence is called. */
  readonly noDay?: string;
  readonly least?: number;
  readonly most?: number;
  readonly options?: readonly Option[];
  readonly hint?: string;
  /** The heading that it shares with the fields beside it. */
  readonly group?: string;
  /** Tells what saving a value leads to, below the field. The other fields' values come with it. */
  readonly note?: (value: FormValue, values: Values) => ReactNode;
  /** The text of a chosen bus. */
  readonly chosen?: string;
  /** Marks a bus in the list of those to choose from. */
  readonly markOf?: (bus: AdminBus) => string | undefined;
  /** Turns a chosen option into what is sent; the text itself by default. */
  readonly wire?: (value: string) => unknown;
  readonly isShown?: (values: Values) => boolean;
  /** Says what is wrong with a text that is not empty. */
  readonly fault?: (typed: string) => string | undefined;
  /** Values of other fields that follow when this one is chosen. */
  readonly also?: (value: FormValue) => Values;
  /** The key of a field with which it is sent, although it stayed the same. */
  readonly sentWith?: string;
}

/** Gives what is sent of a field. */
export function wireOf(field: FormField, value: FormValue): unknown {
  if (typeof value !== 'string') return value;
  const typed = value.trim();
  switch (field.kind) {
    case 'text':
    case 'area':
    case 'day':
      return typed === '' ? null : (field.wire?.(typed) ?? typed);
    case 'moment': {
      const ms = momentOf(typed, FALLBACK_ZONE);
      return Number.isNaN(ms) ? typed : new Date(ms).toISOString();
    }
    case 'whole':
    case 'decimal':
      return typed === '' ? null : Number(typed.replace(',', '.'));
    case 'pick':
    case 'bus':
      return typed === '' ? null : (field.wire ?? Number)(typed);
    case 'choice':
      return field.wire ? field.wire(typed) : typed;
    default:
      return value;
  }
}

/** Says what is wrong with a value before it is sent. */
export function problemIn(
  field: FormField,
  value: FormValue,
  form: FormTexts,
  admin: AdminTexts,
): string | undefined {
  if (field.kind === 'many') {
    const isEmpty = !Array.isArray(value) || value.length === 0;
    return field.isRequired && isEmpty ? form.problems.required : undefined;
  }
  if (typeof value !== 'string') return undefined;
  if (field.kind === 'moment' && value.endsWith('T')) return form.problems.time;
  const { isRequired = false, least, most } = field;
  if (field.kind === 'pick' || field.kind === 'bus') {
    // The picker holds an id, or a text that is none of the list.
    const isKnown =
      value === '' || field.kind === 'bus' || field.options?.some((one) => one.value === value);
    if (!isKnown || value.startsWith('?')) return admin.chooseFromList;
    return isRequired && value === '' ? form.problems.required : undefined;
  }
  const isNumber = field.kind === 'whole' || field.kind === 'decimal';
  const typed = value.trim();
  const fault = typed === '' ? undefined : field.fault?.(typed);
  if (fault !== undefined) return fault;
  return fieldProblem(
    value,
    {
      isRequired,
      isLong: field.kind === 'area',
      mostLength: most !== undefined && !isNumber ? most : 255,
      ...(isNumber && {
        number: {
          isWhole: field.kind === 'whole',
          ...(least !== undefined && { least }),
          ...(most !== undefined && { most }),
        },
      }),
    },
    form.problems,
  );
}

/** A stored value in words, as the user would choose it. */
export function shownValue(
  { kind, options = [], chosen }: FormField,
  value: FormValue,
  text: AdminTexts,
): string {
  if (typeof value === 'boolean') return value ? text.yes : text.no;
  const labelOf = (one: string): string => {
    if (kind === 'day') return formatDay(one);
    // Buses are no options: there are too many.
    if (kind === 'bus') return chosen ?? one;
    return options.find((option) => option.value === one)?.label ?? one;
  };
  const all = Array.isArray(value) ? value.map(String) : [String(value ?? '')];
  return all.filter(Boolean).map(labelOf).join(', ') || '—';
}

/** The values that differ from the stored ones. */
export function changedKeys(
  fields: readonly FormField[],
  stored: Values,
  values: Values,
): readonly string[] {
  const isChanged = (key: string) => JSON.stringify(stored[key]) !== JSON.stringify(values[key]);
  return fields
    .filter(({ key, sentWith }) => isChanged(key) || (sentWith && isChanged(sentWith)))
    .map(({ key }) => key);
}
