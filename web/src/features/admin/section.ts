import type { AdminOverview, AdminSection } from '@ridewatch/contract/admin-sections';
import type { Me } from '@ridewatch/contract/auth';
import type { Endpoint, ParamsOf } from '@ridewatch/contract/endpoint';
import type { ReactNode } from 'react';
import { type AnswerOf, call, type InputOf, type RawInput } from '../../calls/request.ts';
import type { ApiError } from '../../core/api-error.ts';
import type { AdminAddress } from './address.ts';
import type { FormField, Option, Values } from './form-values.ts';
import { isGone } from './is-gone.ts';
import type { AdminTexts } from './texts-ru.ts';

/** A query of a list: page, search, sorting and filters. */
export type ListQuery = Readonly<Record<string, string | number | undefined>>;

export interface Page<Row> {
  readonly items: readonly Row[];
  readonly total: number;
}

/** The facts that sections depend on. */
export interface AdminContext {
  readonly text: AdminTexts;
  readonly user: Me;
  readonly clients: AdminOverview['clients'];
  /** The present local day in Moscow. */
  readonly today: string;
}

/** A property of a row: in a column of the table, in a line of the drawer, or in both. */
export interface Property<Row> {
  readonly key: string;
  readonly label: string;
  /** Null: a dash. */
  readonly value: (row: Row) => ReactNode;
  /** Width in the grid of the table; absent: it is no column. */
  readonly width?: string;
  /** The list's name of the column for sorting; absent: it cannot be sorted. */
  readonly sort?: string;
  readonly isNumber?: boolean;
  /** In the drawer: the same by default, none, or another value; undefined leaves the line out. */
  readonly inDrawer?: 'none' | ((row: Row) => ReactNode | undefined);
}

/** A filter of a section: a choice among options, or a customer. */
export interface Filter {
  /** Its key in the address, and in the query of the list. */
  readonly key: keyof AdminAddress;
  readonly query: string;
  readonly label: string;
  /** Absent: a customer, a user, a route, or a day. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  /** `pick`: so many options that typing finds one. `id`: only links set it, and it has no control. */
  readonly kind?: 'client' | 'user' | 'day' | 'route' | 'pick' | 'id';
  /** The value that filters until somebody chooses another one, or all. */
  readonly initial?: string;
  /** The name of no choice; the label and 'all' by default. */
  readonly any?: string;
}

/** Fields as they are sent. */
export type Sent = Readonly<Record<string, unknown>>;

/** A form that creates or changes a row. */
export interface RowForm {
  readonly fields: readonly FormField[];
  readonly values: Values;
  /**
   * Saves the values of changed fields.
   * @param seen the values of the same fields that the user saw
   * @returns the id of the row
   */
  readonly save: (changed: Sent, seen: Sent) => Promise<number>;
  readonly explain?: Explain;
}

/** Explains a refused value in more words than its code and field have; undefined if it has none. */
export type Explain = (error: ApiError) => Promise<string | undefined>;

/** A section of the administration. */
export interface Section<Row extends { readonly id: number }> {
  readonly name: AdminSection;
  readonly list: (query: ListQuery, signal: AbortSignal) => Promise<Page<Row>>;
  readonly find: (id: number, signal: AbortSignal) => Promise<Row>;
  readonly properties: (context: AdminContext) => readonly Property<Row>[];
  readonly filters: (context: AdminContext) => readonly Filter[];
  readonly titleOf: (row: Row, context: AdminContext) => string;
  /** The note that a phone shows below the title. */
  readonly noteOf: (row: Row, context: AdminContext) => ReactNode;
  /** The form of a new row; absent: rows are not created here. */
  readonly create?: (context: AdminContext) => RowForm;
  /**
   * Values that only the server knows: a new row begins with them, and they fill empty fields of a row that somebody
   * opens to finish it.
   */
  readonly proposed?: (signal: AbortSignal) => Promise<Values>;
  /** Whether a row that somebody opens to finish it gets them; absent: each does. */
  readonly isProposedTo?: (row: Row) => boolean;
  /** The form of a row; absent: it is only shown. */
  readonly edit?: (row: Row, context: AdminContext) => RowForm;
  /** Whether several rows can be changed at once. */
  readonly hasSeveral?: boolean;
  /** The meaning of an empty list; absent: that nothing was created yet. */
  readonly none?: (text: AdminTexts) => string;
  /** The next step from an empty list; absent when the button above it adds a row, or nothing can be done. */
  readonly NoneNext?: () => ReactNode;
  /** The meaning of a row that the server no longer has; absent: that somebody deleted it. */
  readonly gone?: (text: AdminTexts) => { readonly title: string; readonly text: string };
  /** Most rows that its list counts; absent: it counts all. */
  readonly mostCounted?: number;
  /** Rows are as high as their texts, which other sections cut after two lines. */
  readonly hasWholeTexts?: boolean;
  /** Figures above the table. */
  readonly Top?: () => ReactNode;
  /** Actions with the row besides changing it: at the foot of the drawer, where nothing that loads moves it. */
  readonly Actions?: (props: { row: Row }) => ReactNode;
  /** Further parts of the drawer. */
  readonly Parts?: (props: { row: Row; context: AdminContext }) => ReactNode;
}

/** A call with what an address or a form has; the server checks it. */
export const callWith = <E extends Endpoint>(endpoint: E, input: RawInput): Promise<AnswerOf<E>> =>
  call(endpoint, input as unknown as InputOf<E>);

/** A list's call, with a query that its address decides. */
export function listBy<E extends Endpoint>(endpoint: E) {
  return (query: ListQuery, signal: AbortSignal): Promise<AnswerOf<E>> =>
    callWith(endpoint, { query, signal });
}

/** A call about one row. @param key of its id in the path */
export function findBy<E extends Endpoint>(endpoint: E, key: keyof ParamsOf<E>) {
  return (id: number, signal: AbortSignal): Promise<AnswerOf<E>> =>
    // The drawer tells of a row that is gone.
    callWith(endpoint, { params: { [key]: id }, signal, isQuiet: isGone });
}

/** Words to choose from, in the order of their values. */
export const optionsOf = <Value extends string>(
  values: readonly Value[],
  labels: Readonly<Record<Value, string>>,
): readonly Option[] => values.map((value) => ({ value, label: labels[value] }));

/** A row of a list; each section has fields of its own beside. */
export type AnyRow = { readonly id: number };

/** The customers that the user may name. */
export const clientOptions = ({ clients }: AdminContext): readonly Option[] =>
  clients.map(({ id, name }) => ({ value: `${id}`, label: name }));

/** The only customer, if there is no choice. */
export const onlyClient = ({ clients }: AdminContext): string =>
  clients.length === 1 ? `${clients[0]?.id}` : '';

/** The filter by customer. */
export const clientFilter = ({ text }: AdminContext): Filter => ({
  ...{ key: 'client', query: 'clientId', label: text.fields.client_id, kind: 'client' },
});
