import { MAX_TEXT_LENGTH, type Point } from '@ridewatch/contract/primitives';
import type { RouteProposal } from '@ridewatch/contract/route-proposal';
import * as contract from '@ridewatch/contract/routes';
import { findClient } from '../../access/client.ts';
import { findRoute } from '../../access/route.ts';
import { asEditable } from '../../access/visible.ts';
import { announceBusChange } from '../../buses/announce.ts';
import { insertAudit } from '../../core/audit.ts';
import type { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import { serve } from '../../core/http/http.ts';
import { type Language, languageOf } from '../../core/http/language.ts';
import { storableOf } from '../../core/storable.ts';
import type { Feature } from '../../deps.ts';
import { changeRoute, findRouteToChange, refuseTakenName, todayOfRoutes } from '../change.ts';
import { findRouteRow } from '../route-rows.ts';
import { farMessage, farPairs, isOnePlace, nearPairs } from '../route-shape.ts';
import { listStopsOn, type WantedStop } from '../stops.ts';
import { findTrackOn } from '../tracks.ts';
import { type Message, message, translate } from './messages.ts';
import type { FileProposal } from './proposal.ts';
import { createFileReader } from './reader.ts';
import { findReplacement, insertFileRoute, saveFile, stopsOfFile } from './save.ts';

/** Serves routes from files: preview, creation and replacement. */
export const addRouteFiles: Feature = (app, deps, auth) => {
  const { db } = deps.database;
  const now = (): number => deps.clock.nowMs();
  const { readFile, close } = createFileReader(deps.log);
  app.addHook('onClose', close);

  serve(
    app,
    auth,
    contract.createRouteFromFile,
    'user',
    async ({ request, viewer, actor, body }) => {
      const language = languageOf(request.headers['accept-language']);
      const entry = { language, confirmFar: body.confirm_far === 'true' };
      const client = asEditable(viewer, await findClient(db, viewer, body.clientId));
      const read = await readFile(body.file, wantedOf(body), language);
      const name = body.name ?? read.name ?? nameOfFile(body.file);
      const proposal = {
        ...read,
        name,
        notes: [...read.notes, ...missingOf(read, NEW), ...warningsOf(read, read)],
      };
      const answer = {
        ...proposal,
        stops: await stopsOfFile(db, proposal, { clientId: client.id, language }, null),
      };
      const preview = { proposal: answerOf(answer, language), replaces: null };
      if (body.preview === 'true') return { ...preview, group: null };
      checkChosen(proposal, language);
      const day = body.valid_from ?? todayOfRoutes(now());
      const route = { name, type_calculation: body.type_calculation ?? 'FIXED' } as const;
      const group = await db.transaction().execute(async (tx) => {
        const id = await refuseTakenName(() =>
          insertFileRoute(tx, { clientId: client.id, ...entry }, route, proposal, day),
        );
        await insertAudit(tx, actor, {
          action: 'create_route_from_file',
          objectType: 'route_group',
          objectId: id,
          after: { ...route, client_id: client.id, ...summaryOf(proposal), valid_from: day },
        });
        await announceBusChange(tx);
        return routeAnswer(tx, id, day);
      });
      return { ...preview, group };
    },
  );

  serve(
    app,
    auth,
    contract.updateRouteFromFile,
    'user',
    async ({ request, viewer, actor, body }) => {
      const language = languageOf(request.headers['accept-language']);
      const entry = { language, confirmFar: body.confirm_far === 'true' };
      const seen = asEditable(viewer, await findRoute(db, viewer, body.groupId));
      const read = await readFile(body.file, wantedOf(body), language);
      const nowMs = now();
      const today = body.valid_from ?? todayOfRoutes(nowMs);
      const current = { routeId: seen.id, day: today };
      const renewed = await renewedShape(db, current, read);
      const proposal = {
        ...read,
        notes: [...read.notes, ...missingOf(read, RENEWED), ...warningsOf(read, renewed)],
      };
      const answer = {
        ...proposal,
        stops: await stopsOfFile(db, proposal, { clientId: seen.clientId, language }, current),
      };
      const replaces = isChosen(proposal)
        ? await findReplacement(db, current, proposal, answer.stops)
        : null;
      const preview = { proposal: answerOf(answer, language), replaces };
      if (body.preview === 'true') return { ...preview, group: null };
      checkChosen(proposal, language);
      const command = { db, viewer, actor, nowMs, validFrom: body.valid_from };
      const group = await changeRoute(
        command,
        findRouteToChange(viewer, seen.id),
        async (tx, group, day) => {
          await saveFile(tx, group, day, { ...proposal, ...entry });
          return {
            action: 'update_route_from_file',
            after: summaryOf(proposal),
            answer: await routeAnswer(tx, group.id, day),
          };
        },
      );
      return { ...preview, group };
    },
  );
};

const wantedOf = ({
  choice,
  turn,
}: {
  choice?: string | undefined;
  turn?: number | undefined;
}) => ({
  choice: choice ?? null,
  turnAt: turn ?? null,
});

const isChosen = ({ choices, choice }: FileProposal): boolean =>
  choices.length === 0 || choice !== null;

/** @throws AppError invalid_request when the user must choose one of several routes */
function checkChosen(proposal: FileProposal, language: Language): void {
  if (isChosen(proposal)) return;
  throw new AppError('invalid_request', translate(message('choose'), language), {
    field: 'choice',
  });
}

interface Missing {
  readonly line: Message;
  readonly stops: Message;
}
const NEW: Missing = {
  line: message('noLine'),
  stops: message('noStops'),
};
const RENEWED: Missing = {
  line: message('trackStays'),
  stops: message('stopsStay'),
};

function missingOf(proposal: FileProposal, missing: Missing): Message[] {
  if (!isChosen(proposal)) return [];
  const { track, stops } = proposal;
  return [
    ...(track.length === 0 ? [missing.line] : []),
    ...(stops.length === 0 ? [missing.stops] : []),
    ...(stops.length === 1 ? [message('oneStop')] : []),
  ];
}

/** The places of a route. */
interface Shape {
  readonly stops: readonly Point[];
  readonly track: readonly Point[];
}

// A file without stops or without a track leaves those of the route as they are.
async function renewedShape(
  from: Db,
  { routeId, day }: { readonly routeId: number; readonly day: string },
  { stops, track }: FileProposal,
): Promise<Shape> {
  return {
    stops: stops.length > 0 ? stops : await listStopsOn(from, routeId, day),
    track: track.length > 0 ? track : await findTrackOn(from, routeId, day),
  };
}

// Returns only the first warning of each kind: a file with swapped columns causes hundreds.
function warningsOf(proposal: FileProposal, made: Shape): Message[] {
  const { stops } = proposal;
  if (isChosen(proposal) && isOnePlace([...made.stops, ...made.track])) {
    return [message('noLength')];
  }
  const [far] = farPairs(stops);
  const [near] = nearPairs(stops);
  return [
    ...(far === undefined ? [] : [farMessage(far)]),
    ...(near === undefined ? [] : [message('nearStops', near[0].name ?? '', near[1].name ?? '')]),
  ];
}

function nameOfFile(file: File): string {
  const name = file.name.replace(/\.[a-z0-9]{1,8}$/i, '').trim();
  if (name === '') throw new AppError('invalid_request', 'is required', { field: 'name' });
  return storableOf(name, MAX_TEXT_LENGTH);
}

const summaryOf = ({ format, choice, track, stops, further }: FileProposal) => ({
  format,
  choice,
  points: track.length,
  stops: stops.length,
  ...(further.patterns.length > 0 && { patterns: further.patterns.length + 1 }),
});

type Named = Omit<FileProposal, 'stops'> & { readonly stops: readonly WantedStop[] };

const answerOf = ({ further, stops, ...proposal }: Named, language: Language): RouteProposal => ({
  ...proposal,
  notes: proposal.notes.map((note) => translate(note, language)),
  patterns: further.patterns.map((one) => ({ name: one.name, stops: one.stops.length })),
  stops: stops.filter(isInDefault).map(({ name, latitude, longitude, routeDirection }) => ({
    name,
    latitude,
    longitude,
    routeDirection,
  })),
});

const isInDefault = ({ inDefault }: WantedStop): boolean => inDefault !== false;

async function routeAnswer(from: Db, id: number, day: string) {
  return { ...(await findRouteRow(from, id)), track: await findTrackOn(from, id, day) };
}
