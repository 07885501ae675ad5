import type { Role } from '@ridewatch/contract/auth';

/** The user or API key behind a request, with the scope of access. */
export interface Viewer {
  /** Of a key its id: users, customers and keys have one sequence. */
  readonly userId: number;
  /** Of a key what stands for its session. */
  readonly sessionId: string;
  readonly login: string;
  readonly role: Role;
  /** The customer whose data the user works with; null for administrators. */
  readonly clientId: number | null;
  /** Customers whose objects are visible: all, or one's own and those of one's integrator. */
  readonly clientIds: 'all' | readonly number[];
  readonly canEdit: boolean;
  /** The administrator who sees what the user sees, and changes nothing; null: the user itself. */
  readonly viewedBy: Administrator | null;
  /** Set if the user has chosen one of several customers: `clientIds` is that one. */
  readonly chosen?: CustomerChoice;
}

/** The choice of one customer by a user of several. */
export interface CustomerChoice {
  /** The customers from whom the user has chosen: `clientIds` without the choice. */
  readonly from: Viewer['clientIds'];
  /** The present, ms since 1970 UTC: on the day on which a bus passes to others it is shown under the former customer. */
  readonly nowMs: number;
}

/** An administrator behind a view as another user. */
export interface Administrator {
  readonly userId: number;
  readonly login: string;
}

/** An on-board unit that showed a valid credential. */
export interface KnownUnit {
  readonly unitId: number;
  readonly deviceId: string;
  /** The bus in which it sits; null for a spare one. */
  readonly busId: number | null;
  /** Since when, ms since 1970 UTC; -Infinity: always. */
  readonly assignedFromMs: number;
  /** The buses in which it sat before. */
  readonly pastAssignments: readonly PastAssignment[];
  /** The id by which it was found in another protocol than the unit interface. */
  readonly protocolId?: string;
}

/** A period in which a unit sat in a bus, ms since 1970 UTC; the end is excluded. */
export interface PastAssignment {
  readonly busId: number;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** The user for whom a signed address was made. */
export interface Holder {
  readonly userId: number;
  /** UUID. */
  readonly sessionId: string;
}
