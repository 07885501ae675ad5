// One connection: it reads messages, stores what they tell, and answers each after the commit. A message that cannot be
// stored now has no answer, and its terminal sends it again. Until a terminal has shown its code, nothing of it is stored.
import { randomInt } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Jt808Settings } from '@ridewatch/contract/unit-protocols';
import { isDatabaseAway } from '../../core/errors.ts';
import { inOwnMemory } from '../../core/own-memory.ts';
import type { Deps } from '../../deps.ts';
import type { HeardUnits } from '../by-id/heard-units.ts';
import type { Knocks } from '../by-id/knocks.ts';
import { createPump, type SilenceLimits } from '../by-id/message-pump.ts';
import { createSomeMessages } from '../by-id/some-messages.ts';
import type { TakeTold } from '../by-id/take-told.ts';
import type { Session } from '../by-id/tcp-listener.ts';
import type { UnitPlace } from '../by-id/unit-places.ts';
import type { FindUnits, UnitById } from '../by-id/units.ts';
import type { WeightedTurns } from '../by-id/weighted-turns.ts';
import { createAnswers } from './answers.ts';
import { MESSAGE, MOST_BODY_BYTES, RESULT, SERIALS } from './codes.ts';
import { createFrameReader } from './frames.ts';
import { readLocationTime } from './locations.ts';
import { type Message, readMessage } from './messages.ts';
import { createRequests } from './requests.ts';
import { createSignIns } from './sign-ins.ts';
import { createSplitMessages, type SplitRoom } from './split-messages.ts';
import { readCode, type TerminalCodes } from './terminal-codes.ts';
import type { AskTerminal, TerminalEvents, Terminals } from './terminals.ts';
import { heardOf, type Jt808Told, resultOf, tells, toldOf, type Wrong } from './told-messages.ts';

/** Messages, and bytes of their bodies, that are stored together. */
const MOST_TOGETHER = { messages: 64, bytes: 65_536 } as const;

export interface SessionDeps extends Pick<Deps, 'clock' | 'log'> {
  readonly takeTold: TakeTold<Jt808Settings, Wrong>;
  readonly findUnits: FindUnits<Jt808Settings>;
  readonly knocks: Pick<Knocks, 'note'>;
  readonly heardUnits: Pick<HeardUnits, 'note'>;
  /** Notes a message of a terminal whose number is nothing but zeros. @param address from where it comes */
  readonly noteNoNumber: (address: string) => void;
  /** @throws the database's error, until they are there */
  readonly loadCodes: () => Promise<TerminalCodes>;
  readonly splitRoom: SplitRoom;
  readonly terminals: Terminals;
  readonly events: TerminalEvents;
  readonly limits: SilenceLimits;
  /** Shared by the connections of a port. */
  readonly inTurn: WeightedTurns;
  /** That of the connection, which it keeps once a terminal of a unit has signed in. */
  readonly place: UnitPlace;
}

/** Serial of the message that asked for an upload, and its result. */
const UPLOAD_END_BYTES = 3;

/** A terminal that has signed in, and its unit. */
interface Known {
  readonly terminal: string;
  readonly unitId: number;
  readonly settings: Jt808Settings;
}

type Fates = Awaited<ReturnType<SessionDeps['takeTold']>>;

/** A message on its way: what is stored of it, and its answers once the fates of that are known. */
interface Step {
  readonly told: readonly Jt808Told[];
  readonly answer: (fates: Fates) => readonly Buffer[];
}

/** Serves a connection. */
export function openSession(socket: Socket, deps: SessionDeps): Session {
  const { limits, clock, log, knocks, heardUnits, terminals, events, place } = deps;
  const address = socket.remoteAddress ?? '';
  const reader = createFrameReader();
  // The result of an upload names a serial, perhaps of an earlier connection.
  const answers = createAnswers(randomInt(SERIALS));
  const signIns = createSignIns({
    ...terminals,
    // A connection that has closed meanwhile is no way to a terminal, which may have signed in in another one.
    add: (...signedIn) => void (socket.destroyed || terminals.add(...signedIn)),
    addIfNone: (...signedIn) => void (socket.destroyed || terminals.addIfNone(...signedIn)),
  });
  const splits = createSplitMessages(deps.splitRoom);
  const requests = createRequests();
  socket.on('close', () => {
    signIns.clear();
    splits.clear();
    requests.close();
    place.leave();
  });
  return createPump<Message>(socket, {
    ...{ name: 'jt808', limits, log, answer, inTurn: deps.inTurn, bytesOf },
    readSome: createSomeMessages({ next, bytesOf, most: MOST_TOGETHER }),
    push: (bytes) => reader.push(bytes),
    isLost: () => reader.isLost(),
  });

  function next(): Message | undefined {
    for (let content = reader.next(); content !== undefined; content = reader.next()) {
      const message = readMessage(content);
      if (message !== undefined) return message;
    }
    return undefined;
  }

  async function answer(messages: readonly Message[]): Promise<Buffer> {
    try {
      const units = await deps.findUnits(messages.flatMap(({ terminal }) => terminal ?? []));
      const hasCode = messages.some(({ id }) => id === MESSAGE.register || id === MESSAGE.signIn);
      const codes = hasCode ? await deps.loadCodes() : undefined;
      const steps = messages.map((message) =>
        take(message, units.get(message.terminal ?? ''), codes),
      );
      const told = steps.flatMap((step) => step.told);
      const fates = await deps.takeTold(told, address, clock.nowMs());
      let at = 0;
      return Buffer.concat(
        steps.flatMap((step) => {
          at += step.told.length;
          return step.answer(fates.slice(at - step.told.length, at));
        }),
      );
    } catch (error) {
      if (!isDatabaseAway(error)) log.error({ err: error }, 'messages of JT/T 808 were not stored');
      return Buffer.alloc(0);
    }
  }

  function take(
    message: Message,
    unit: UnitById<Jt808Settings> | undefined,
    codes: TerminalCodes | undefined,
  ): Step {
    const { id, terminal } = message;
    if (terminal === null) deps.noteNoNumber(address);
    // An answer is never answered, whether or not a request waits for it.
    if (id === MESSAGE.answer) {
      requests.take(message);
      return { told: [], answer: () => [] };
    }
    if (message.isEncrypted) return general(message, RESULT.notSupported);
    if (unit === undefined || terminal === null) return takeUnknown(message);
    const { settings } = unit;
    const { unitId } = unit.unit;
    if (id === MESSAGE.register) {
      const code = codes?.codeOf(unitId, terminal);
      return withoutRecords(() => answers.registered(message, code));
    }
    if (id === MESSAGE.signIn) {
      const isRight = codes?.isRight(readCode(message), unitId, terminal) === true;
      if (isRight) {
        place.keep();
        heardUnits.note(unitId);
        signIns.add(terminal, { unitId, ask: askerOf(message, terminal), atMs: clock.nowMs() });
      }
      return general(message, isRight ? RESULT.ok : RESULT.failed);
    }
    if (signIns.heard(terminal, unitId)) return takeKnown(message, { terminal, unitId, settings });
    return general(message, isFree(message) ? RESULT.ok : RESULT.failed);
  }

  // A terminal that no unit has.
  function takeUnknown(message: Message): Step {
    const { id, terminal } = message;
    if (terminal !== null) {
      signIns.remove(terminal);
      const { records, last } = heardOf(message, terminal);
      knocks.note(terminal, address, records, () => last);
    }
    if (id === MESSAGE.register) {
      return withoutRecords(() => answers.registered(message, undefined));
    }
    return general(message, isFree(message) ? RESULT.ok : RESULT.failed);
  }

  // A terminal that has signed in.
  function takeKnown(message: Message, from: Known): Step {
    events.heard(from.unitId);
    place.keep();
    const step =
      message.split === null ? takeWhole(message, from, [message.serial]) : takePart(message, from);
    // What is stored says so itself.
    if (step.told.length === 0) heardUnits.note(from.unitId);
    return step;
  }

  function takePart(message: Message, from: Known): Step {
    if (!tells(message) && !requests.awaits(message)) return takeOther(message, from.unitId);
    const part = splits.add(message);
    if (part.kind === 'whole') return takeWhole(part.message, from, part.serials);
    if (part.kind === 'refused') return general(message, part.result);
    if (part.kind === 'waits') return { told: [], answer: () => [] };
    const { firstSerial, indexes } = part;
    return withoutRecords(() => answers.resend(message, firstSerial, indexes));
  }

  function takeWhole(
    message: Message,
    { terminal, unitId, settings }: Known,
    serials: readonly number[],
  ): Step {
    if (requests.take(message)) return general(message, RESULT.ok, serials);
    if (message.id === MESSAGE.uploadEnd) return takeUploadEnd(message, unitId);
    if (message.id === MESSAGE.signOff) {
      signIns.remove(terminal);
      return general(message, RESULT.ok);
    }
    if (!tells(message)) return takeOther(message, unitId, serials);
    if (message.id === MESSAGE.location) {
      events.located(unitId, message.body, readLocationTime(message.body, settings));
    }
    const told = toldOf(message, terminal);
    if (told === 'wrong') return general(message, RESULT.wrong, serials);
    return {
      told,
      answer: (fates) => {
        const result = resultOf(message, fates);
        return result === undefined ? [] : generalAnswers(message, result, serials);
      },
    };
  }

  // A late list is answered with 0: after 3 the terminal might send no more lists.
  function takeOther(message: Message, unitId: number, serials?: readonly number[]): Step {
    if (message.id !== MESSAGE.fileList) return general(message, RESULT.notSupported, serials);
    events.listedLate(unitId);
    return general(message, RESULT.ok, serials);
  }

  function takeUploadEnd(message: Message, unitId: number): Step {
    const { body } = message;
    if (body.length < UPLOAD_END_BYTES) return general(message, RESULT.wrong);
    events.uploadEnded(unitId, body.readUInt16BE(0), body.readUInt8(2));
    return general(message, RESULT.ok);
  }

  function withoutRecords(frame: () => Buffer): Step {
    return { told: [], answer: () => [frame()] };
  }

  function general(
    message: Message,
    result: number,
    serials: readonly number[] = [message.serial],
  ): Step {
    return { told: [], answer: () => generalAnswers(message, result, serials) };
  }

  // Each part of a split message has its answer.
  function generalAnswers(message: Message, result: number, serials: readonly number[]): Buffer[] {
    return serials.map((serial) => answers.general(message, serial, result));
  }

  function askerOf({ version, phone }: Message, terminal: string): AskTerminal {
    // A view would keep all of the bytes that were read with the sign-in.
    const to = { version, phone: inOwnMemory(phone) };
    return async (request) => {
      if (socket.destroyed) return undefined;
      const { body } = request;
      const bytes = typeof body === 'function' ? body(socket.localAddress ?? '') : body;
      const { serial, frame } = answers.message(to, request.id, bytes);
      request.onSerial?.(serial);
      return requests.ask(serial, terminal, request, () => socket.write(frame));
    };
  }
}

// Any part may be the last one to come, and brings all of its message into the turn.
const bytesOf = ({ body, split }: Message): number =>
  split === null ? body.length : Math.min(split.total * MOST_BODY_BYTES, MOST_TOGETHER.bytes);

/** Whether a message needs no sign-in. */
const isFree = ({ id }: Message): boolean => id === MESSAGE.heartbeat || id === MESSAGE.signOff;
