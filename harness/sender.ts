// A sender speaks one protocol of units that are known by an id: the same faults meet every protocol (keeping-unit.ts).
import type { UnitProtocol } from '@ridewatch/contract/unit-protocols';
import type { Counts, Told } from './told.ts';

/** Records that are sent at once, and confirmed at once. */
export interface Message {
  /** Unique among the messages that wait for a confirmation, 0 to 65,535. */
  readonly id: number;
  readonly told: readonly Told[];
}

/** The server's word on a message: all of it is stored, or why not. */
export interface Confirmation {
  readonly id: number;
  readonly refusal?: string;
}

/** A connection, or what stands for it. */
export interface SenderLink {
  /** Sends a message. */
  send(message: Message): void;
  /** Sends so much of a message, 0 to 1, and breaks the link. */
  cut(message: Message, share: number): void;
  /**
   * The next confirmation.
   * @returns undefined when none comes within so many ms
   * @throws Error when the link is broken
   */
  confirm(ms: number): Promise<Confirmation | undefined>;
  close(): void;
}

/** A server that confirms a message when it has read it, and brings it to a sound server when the next one arrives. */
export interface EarlyListener {
  readonly port: number;
  /** Whether it holds a message that it would lose if killed now; its confirmation may be on its way still. */
  holds(): boolean;
  /** Kills it: it loses what it holds. */
  kill(): void;
  restart(): void;
  /** Brings the message that it holds. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** A protocol's way to send. */
export interface Sender {
  readonly protocol: UnitProtocol;
  /** The variable of the server's port; null: the protocol comes over HTTP, to the port of all calls. */
  readonly variable: string | null;
  /** Most messages that wait for a confirmation in a link. */
  readonly mostWaiting: number;
  /** Most objects of a link. */
  readonly mostObjects: number;
  /** How many doors it can count at. */
  readonly doors: number;
  /** The kinds of counters that it knows. */
  readonly counts: readonly Counts[];
  /** The fields of a unit in the administration that say how it counts and what its numbers mean. */
  settingsOf(counts: Counts): Readonly<Record<string, string | number>>;
  /**
   * Opens a link for objects.
   * @param isPlatform whether its messages name their objects, where the protocol knows that; else the one object signs in
   * @throws Error when there is no server, or when it does not know the object
   */
  open(port: number, objects: readonly number[], isPlatform: boolean): Promise<SenderLink>;
  /** Starts a server with a fault in front of a sound one. */
  startEarly(port: number): Promise<EarlyListener>;
}
