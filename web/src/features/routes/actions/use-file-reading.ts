import type { CalculationType } from '@ridewatch/contract/bus-routes';
import type { RouteProposal, RouteReplacement } from '@ridewatch/contract/route-proposal';
import { MAX_ROUTE_FILE_BYTES } from '@ridewatch/contract/routes';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useRouteText } from '../use-route-text.ts';
import type { ActionProps } from './action-props.ts';
import { fileProblem } from './file-problem.ts';
import { useRouteFile } from './use-route-file.ts';

/** A route file, what the server read from it, and the fields of the form. */
export function useFileReading({ route, day, page, onPreview }: ActionProps) {
  const text = useRouteText();
  const { send, abort, progress } = useRouteFile();
  const [mode, setMode] = useState<'update' | 'create'>(route ? 'update' : 'create');
  const [file, setFile] = useState<File>();
  const [name, setName] = useState<string>();
  const [type, setType] = useState<CalculationType>('FIXED');
  const [proposal, setProposal] = useState<RouteProposal>();
  const [replaces, setReplaces] = useState<RouteReplacement | null>(null);
  const [problem, setProblem] = useState<{ at: 'file' | 'name'; text: string }>();
  useEffect(() => () => onPreview(undefined), [onPreview]);

  const shownName = name ?? proposal?.name ?? file?.name.replace(/\.\w+$/, '') ?? '';
  // A user who may see a bus may see its customer.
  const clientId = route?.details.client_id ?? page.info.clients[0] ?? 0;
  // The server names the route itself unless the user did: the name of one file must not become that of the next.
  const formOf = (chosen: File) => ({
    file: chosen,
    target:
      mode === 'update' && route
        ? { groupId: route.routeId }
        : { clientId, name: name?.trim() || undefined, type_calculation: type },
    choice: proposal?.choice ?? undefined,
    turn: proposal?.turn?.chosen ?? undefined,
    validFrom: day,
  });
  const read = async (chosen: File, choice?: string, turn?: number) => {
    setProblem(undefined);
    if (chosen.size > MAX_ROUTE_FILE_BYTES) {
      setProblem({ at: 'file', text: text.fileTooLarge });
      return;
    }
    try {
      const answer = await send({ ...formOf(chosen), choice, turn, preview: true });
      if (!answer) return;
      setProposal(answer.proposal);
      setReplaces(answer.replaces);
      const { track, stops, jumps } = answer.proposal;
      onPreview({ track, stops, jumps });
    } catch (error) {
      setProblem({ at: 'file', text: fileProblem(error, text) });
    }
  };
  const chosenTurn = proposal?.turn?.chosen ?? undefined;
  const readAgain = useEffectEvent(
    () => file && void read(file, proposal?.choice ?? undefined, chosenTurn),
  );
  const seen = useRef({ day, mode });
  useEffect(() => {
    // The changes to a route depend on the day; whether there is a route to change depends on the mode.
    if (seen.current.day === day && seen.current.mode === mode) return;
    seen.current = { day, mode };
    readAgain();
  }, [day, mode]);
  const forget = () => {
    setProposal(undefined);
    setReplaces(null);
    onPreview(undefined);
  };
  return {
    mode,
    setMode,
    file,
    name: shownName,
    setName: (typed: string) => {
      setName(typed);
      if (problem?.at === 'name') setProblem(undefined);
    },
    type,
    setType,
    proposal,
    /** The file has no route, or the user has not selected one of several. */
    isUnusable:
      proposal !== undefined &&
      ((proposal.choices.length > 0 && proposal.choice === null) ||
        proposal.track.length + proposal.stops.length === 0),
    replaces,
    problem,
    setProblem,
    progress,
    take: (chosen: File) => {
      forget();
      setFile(chosen);
      setName(undefined);
      void read(chosen);
    },
    drop: () => {
      abort();
      forget();
      setFile(undefined);
      setProblem(undefined);
    },
    // Another way of a feed has other stops; the lines of other files share theirs.
    choose: (choice: string) =>
      file && void read(file, choice, proposal?.format === 'gtfs' ? undefined : chosenTurn),
    /** Turns the route back at a stop of the file; undefined: nowhere. */
    turnAt: (turn: number | undefined) =>
      file && void read(file, proposal?.choice ?? undefined, turn),
    /** Sends the file to be saved. */
    send: (chosen: File, confirm_far?: true) =>
      send({ ...formOf(chosen), preview: false, confirm_far }),
  };
}

export type FileReading = ReturnType<typeof useFileReading>;
