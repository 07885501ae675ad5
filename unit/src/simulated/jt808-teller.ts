// Tells the records of a simulated unit in JT/T 808: positions one by one in the present and in batches from the past,
// and who passed while the doors were open. The unit of a bus with cameras is a registrar, too, which takes commands.
import {
  flowBody,
  JT808,
  type Jt808Location,
  locationBody,
  locationsMessage,
} from '../jt808/bodies.ts';
import { type Jt808Terminal, openJt808Terminal } from '../jt808/terminal.ts';
import type { Jt808Registrar } from './jt808-registrar.ts';
import { type Teller, type TellerOptions, tellInParts } from './teller.ts';
import type { Told, ToldPosition } from './told.ts';

/** Records that are sent before the first of them is answered. */
const MOST_TOGETHER = 200;
/** Positions of a batch, which has room for 1,023 bytes. */
const MOST_IN_BATCH = 20;
const ANSWER_MS = 10_000;
const OK = 0;
/** The server could not store it now. */
const FAILED = 1;

/**
 * Creates the teller of a terminal.
 * @param phone the number of its SIM card
 * @param registrar takes the server's commands
 */
export function createJt808Teller(
  { host, port }: { readonly host: string; readonly port: number },
  phone: string,
  options: TellerOptions,
  registrar?: Jt808Registrar,
): Teller {
  const { signal, onRefused, onFailure } = options;
  let terminal: Jt808Terminal | undefined;
  let code: string | undefined;

  const disconnect = (): void => {
    terminal?.link.close();
    terminal = undefined;
  };

  // A server that does not answer the registration gets nothing else.
  async function signedIn(): Promise<Jt808Terminal> {
    if (terminal !== undefined) return terminal;
    const identity = { phone, form: '2013' } as const;
    const opened = await openJt808Terminal(port, host, identity, registrar?.take);
    terminal = opened;
    signal.throwIfAborted();
    void opened.link.closed.then(() => {
      if (terminal === opened) terminal = undefined;
    });
    code = await opened.signIn(code, ANSWER_MS);
    registrar?.attach(opened);
    return opened;
  }

  async function send(part: readonly Told[]): Promise<void> {
    const to = await signedIn();
    const serials = messagesOf(part, registrar).map(({ id, body }) => to.send(id, body));
    for (const serial of serials) {
      const result = await to.resultOf(serial, ANSWER_MS);
      if (result === undefined) throw new Error('The server of JT/T 808 does not answer.');
      if (result === FAILED) throw new Error('The server of JT/T 808 could not store a message.');
      if (result !== OK) onRefused(`JT/T 808 ${result}`);
    }
  }

  /** Does what an abort ends. A connection on which something failed is cut. */
  async function connected(work: () => Promise<unknown>): Promise<void> {
    signal.addEventListener('abort', disconnect);
    try {
      await work();
    } catch (error) {
      disconnect();
      throw error;
    } finally {
      signal.removeEventListener('abort', disconnect);
    }
  }

  async function connect(): Promise<boolean> {
    try {
      await connected(signedIn);
    } catch (error) {
      if (!signal.aborted) onFailure(asError(error));
      return false;
    }
    return true;
  }

  return {
    ...{ byOpening: true, leastEveryMs: 5000 },
    tell: (told) =>
      tellInParts(told, MOST_TOGETHER, options, async (part) => {
        await connected(() => send(part));
        return part.length;
      }),
    ...(registrar && { link: { connect, disconnect } }),
    close: async () => {
      disconnect();
      await registrar?.close();
    },
  };
}

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));

function messagesOf(
  part: readonly Told[],
  registrar: Pick<Jt808Registrar, 'lostChannels'> | undefined,
): { id: number; body: Buffer }[] {
  const positions = part.filter((one) => one.kind === 'position').map(locationOf);
  const locations = positions.map((location) =>
    locationBody({
      ...location,
      ...(registrar && { lostChannels: registrar.lostChannels(location.timeMs) }),
    }),
  );
  const messages: ReturnType<typeof locationsMessage>[] = [];
  for (let at = 0; at < locations.length; at += MOST_IN_BATCH) {
    messages.push(locationsMessage(locations.slice(at, at + MOST_IN_BATCH)));
  }
  const flows = part.filter((one) => one.kind === 'people');
  return [
    ...messages,
    ...flows.map(({ fromMs, atMs, entered, exited }) => ({
      id: JT808.passengerFlow,
      body: flowBody({ startMs: fromMs, endMs: atMs, entered, exited }),
    })),
  ];
}

function locationOf({ atMs, position }: ToldPosition): Jt808Location {
  const { latitude, longitude, speed_kmh, course, satellites } = position;
  if (typeof latitude !== 'number' || typeof longitude !== 'number') {
    return { timeMs: atMs, latitude: 0, longitude: 0, isValid: false };
  }
  return {
    ...{ timeMs: atMs, latitude, longitude },
    ...(typeof speed_kmh === 'number' && { speedKmh: speed_kmh }),
    ...(typeof course === 'number' && { course }),
    ...(typeof satellites === 'number' && { satellites }),
  };
}
