// The forms of a section: fields of the calls that create and change its rows.
import type { BodyOf, Endpoint, ParamsOf } from '@ridewatch/contract/endpoint';
import type { AnswerOf } from '../../calls/request.ts';
import type { ApiError } from '../../core/api-error.ts';
import type { FormField, FormValue, Values } from './form-values.ts';
import { callOfRow } from './row-calls.ts';
import { type AdminContext, callWith, type Explain, type Section, type Sent } from './section.ts';

type KeyOf<E> = Exclude<keyof BodyOf<E> & string, 'seen'>;

/** A field of a call. */
export type RowField<Row, Key extends string> = FormField & {
  readonly key: Key;
  /** Absent: of new and stored rows. */
  readonly only?: 'new' | 'stored';
  /** The value of a stored row; absent: that of the row's column of the same name. */
  readonly stored?: (row: Row) => FormValue;
  /** The value of a new row; empty by default. */
  readonly initial?: FormValue;
  /** It says how a change is made, and no row stores it: nobody has seen a value. */
  readonly isOfChange?: boolean;
};

interface Forms<Row, New extends Endpoint, Change extends Endpoint> {
  /** @param row absent: of a new row */
  readonly fields: (
    context: AdminContext,
    row: Row | undefined,
  ) => readonly RowField<Row, KeyOf<New> | KeyOf<Change>>[];
  /** Completes what is sent by values that follow from others. */
  readonly complete?: (fields: Sent) => Sent;
  readonly explain?: Explain;
  /** Absent: rows are not created here. */
  readonly create?: { readonly by: New; readonly idOf: (answer: AnswerOf<New>) => number };
  /** Absent: rows are only shown. */
  readonly change?: { readonly by: Change; readonly params: (row: Row) => ParamsOf<Change> };
}

/** The forms of a section, typed by their calls: a field that a call lacks does not compile. */
export function formsOf<
  Row extends { readonly id: number },
  New extends Endpoint,
  Change extends Endpoint,
>(forms: Forms<Row, New, Change>): Pick<Section<Row>, 'create' | 'edit'> {
  const { fields, complete = (sent) => sent, explain, create, change } = forms;
  const explained = explain && { explain };
  return {
    ...(create && {
      create: (context) => {
        const own = fields(context, undefined).filter(({ only }) => only !== 'stored');
        return {
          ...explained,
          fields: own,
          values: valuesOf(own, (field) => field.initial ?? emptyOf(field)),
          save: async (sent) => {
            const input = { body: complete(sent), isQuiet: isToldByForm };
            return create.idOf(await callWith(create.by, input));
          },
        };
      },
    }),
    ...(change && {
      edit: (row, context) => {
        const own = fields(context, row).filter(({ only }) => only !== 'new');
        return {
          ...explained,
          fields: own,
          values: valuesOf(own, (field) => field.stored?.(row) ?? columnOf(row, field)),
          save: async (sent, seen) => {
            const known = own.filter(({ key, isOfChange }) => key in seen && !isOfChange);
            const body = {
              ...complete(sent),
              seen: Object.fromEntries(known.map(({ key }) => [key, seen[key]])),
            };
            const input = { params: change.params(row), body };
            await callOfRow((isQuiet) => callWith(change.by, { ...input, isQuiet }), isToldByForm);
            return row.id;
          },
        };
      },
    }),
  };
}

/** Failures that a form tells beside its fields; others show a toast. */
export const isToldByForm = ({ status, field }: ApiError): boolean =>
  field !== undefined && [400, 403, 409].includes(status);

function valuesOf<Field extends FormField>(
  fields: readonly Field[],
  find: (field: Field) => FormValue,
): Values {
  return Object.fromEntries(fields.map((field) => [field.key, find(field)]));
}

function emptyOf({ kind }: FormField): FormValue {
  if (kind === 'yes') return false;
  return kind === 'many' ? [] : '';
}

function columnOf(row: object, { key }: FormField): FormValue {
  const value: unknown = Object.entries(row).find(([name]) => name === key)?.[1];
  return typeof value === 'boolean' ? value : `${value ?? ''}`;
}

/** The ids of named objects, as a field for several of many has them. */
export const idsOf = (named: readonly { readonly id: number }[]): readonly number[] =>
  named.map(({ id }) => id).sort((a, b) => a - b);
