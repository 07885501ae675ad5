import type { AdminOverview, AdminSection } from '@ridewatch/contract/admin-sections';
import type { Me } from '@ridewatch/contract/auth';
import type { Endpoint } from '@ridewatch/contract/endpoint';
import type { ReactNode } from 'react';
import { call, type InputOf } from '../../calls/request.ts';
import type { AdminAddress } from './address.ts';
import type { FormField, Values } from './form-values.ts';
import type { AdminTexts } from './texts-ru.ts';

/** A query of a list: page, search, sorting and filters. */
export type ListQuery = Readonly<Record<string, string | number | undefined>>;

export interface Page<Row> {
  readonly items: readonly Row[];
  readonly total: number;
}

/** What sections depend on. */
export interface AdminContext {
  readonly text: AdminTexts;
  readonly user: Me;
  readonly clients: AdminOverview['clients'];
  /** The present local day in Moscow. */
  readonly today: string;
}

/** A column of a section's table. */
export interface Column<Row> {
  readonly key: string;
  readonly label: string;
  /** The list's name of the column for sorting; absent: it cannot be sorted. */
  readonly sort?: string;
  /** Width in the grid of the table. */
  readonly width: string;
  readonly isNumber?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

/** A filter of a section: a choice among few options, or a customer. */
export interface Filter {
  /** Its key in the address, and in the query of the list. */
  readonly key: keyof AdminAddress;
  readonly query: string;
  readonly label: string;
  /** Absent: a customer, a route, or a day. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  /** `id`: only links set it, and it has no control. */
  readonly kind?: 'client' | 'day' | 'route' | 'id';
  /** The value that filters until somebody chooses another one, or all. */
  readonly initial?: string;
  /** What no choice is called; the label and 'all' by default. */
  readonly any?: string;
}

/** A form that creates or changes a row. */
export interface RowForm {
  readonly fields: readonly FormField[];
  readonly values: Values;
  /**
   * Saves the values of changed fields.
   * @param version of the row that the user saw
   * @returns the id of the row
   */
  readonly save: (changed: Readonly<Record<string, unknown>>, version: number) => Promise<number>;
}

/** A section of the administration. */
export interface Section<Row extends { readonly id: number }> {
  readonly name: AdminSection;
  readonly list: (query: ListQuery, signal: AbortSignal) => Promise<Page<Row>>;
  readonly find: (id: number, signal: AbortSignal) => Promise<Row>;
  readonly columns: (context: AdminContext) => readonly Column<Row>[];
  readonly filters: (context: AdminContext) => readonly Filter[];
  readonly titleOf: (row: Row, context: AdminContext) => string;
  /** What a phone shows below the title. */
  readonly noteOf: (row: Row, context: AdminContext) => ReactNode;
  /** What the drawer shows above the form. */
  readonly facts?: (row: Row, context: AdminContext) => readonly (readonly [string, ReactNode])[];
  /** The form of a new row; absent: rows are not created here. */
  readonly create?: (context: AdminContext) => RowForm;
  /**
   * Values that only the server knows: a new row begins with them, and they fill empty fields of a row that somebody
   * opens to finish it.
   */
  readonly proposed?: (signal: AbortSignal) => Promise<Values>;
  /** The form of a row; absent: it is only shown. */
  readonly edit?: (row: Row, context: AdminContext) => RowForm;
  /** Whether several rows can be changed at once. */
  readonly hasSeveral?: boolean;
  /** What an empty list means; absent: that nothing was created yet. */
  readonly none?: (text: AdminTexts) => string;
  /** Figures above the table. */
  readonly Top?: () => ReactNode;
  /** Further parts of the drawer. */
  readonly Parts?: (props: { row: Row; context: AdminContext }) => ReactNode;
}

/** A list's call, with a query that its address decides. */
export function listBy<Row>(endpoint: Endpoint) {
  return (query: ListQuery, signal: AbortSignal) =>
    call(endpoint, { query, signal } as InputOf<Endpoint>) as Promise<unknown> as Promise<
      Page<Row>
    >;
}

/** A call about one row. @param key of its id in the path */
export function findBy<Row>(endpoint: Endpoint, key: string) {
  return (id: number, signal: AbortSignal) =>
    call(endpoint, {
      params: { [key]: id },
      signal,
    } as InputOf<Endpoint>) as Promise<unknown> as Promise<Row>;
}
