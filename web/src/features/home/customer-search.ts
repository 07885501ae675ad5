/** The query with which a link leads to the chosen customer's part of a screen. */
export interface CustomerSearch {
  readonly customer?: string;
}

/** @param clientId of the chosen customer; undefined: all */
export const customerSearch = (clientId: number | undefined): CustomerSearch =>
  clientId === undefined ? {} : { customer: String(clientId) };
