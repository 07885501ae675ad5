import type { CalculationType } from '@ridewatch/contract/bus-routes';
import {
  MAX_ROUTE_FILE_BYTES,
  type RouteProposal,
  type RouteReplacement,
} from '@ridewatch/contract/routes';
import { type SubmitEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError } from '../../../api-error.ts';
import { useAddress } from '../../../bus-page/use-address.ts';
import { fieldProblem } from '../../../forms/field-problem.ts';
import { FileDrop } from '../../../forms/file-drop.tsx';
import { TextField } from '../../../forms/text-field.tsx';
import { useFormText } from '../../../forms/use-form-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { showToast } from '../../../ui/toast-store.ts';
import type { RouteAddress } from '../address.ts';
import { orFar } from '../far-stops.ts';
import { problemText } from '../problem.ts';
import type { RouteTexts } from '../texts-ru.ts';
import { forgetRoutes } from '../use-route.ts';
import { useRouteText } from '../use-route-text.ts';
import styles from './action-form.module.css';
import type { ActionProps } from './action-props.ts';
import { ClosedDay } from './closed-day.tsx';
import { ReadFile } from './read-file.tsx';
import { LosesStops, Replacement } from './replacement.tsx';
import { useRouteFile } from './use-route-file.ts';

const FORMATS = '.gpx,.kml,.geojson,.json,.csv,.txt,.zip';

/** A route out of a file: read and shown first, then made or renewed. */
export function FromFile({ route, day, isOpen, page, onPreview }: ActionProps) {
  const text = useRouteText();
  const { problems } = useFormText();
  const { go } = useAddress<RouteAddress>();
  const { send, callOff, progress } = useRouteFile();
  const [mode, setMode] = useState<'update' | 'create'>(route ? 'update' : 'create');
  const [file, setFile] = useState<File>();
  const [name, setName] = useState<string>();
  const [type, setType] = useState<CalculationType>('FIXED');
  const [proposal, setProposal] = useState<RouteProposal>();
  const [problem, setProblem] = useState<{ at: 'file' | 'name'; text: string }>();
  const [replaces, setReplaces] = useState<RouteReplacement | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [isSaving, setSaving] = useState(false);
  useEffect(() => () => onPreview(undefined), [onPreview]);

  const shownName = name ?? proposal?.name ?? file?.name.replace(/\.\w+$/, '') ?? '';
  const needsChoice = proposal && proposal.choices.length > 0 && proposal.choice === null;
  const hasNothing = proposal && proposal.track.length + proposal.stops.length === 0;

  const read = async (chosen: File, choice?: string) => {
    setProblem(undefined);
    if (chosen.size > MAX_ROUTE_FILE_BYTES) {
      setProblem({ at: 'file', text: text.fileTooLarge });
      return;
    }
    try {
      const answer = await send({ ...formOf(chosen), choice, preview: true });
      if (!answer) return;
      setProposal(answer.proposal);
      setReplaces(answer.replaces);
      onPreview({ track: answer.proposal.track, stops: answer.proposal.stops });
    } catch (error) {
      setProblem({ at: 'file', text: fileProblem(error, text) });
    }
  };
  // A bus that one sees has a customer that one sees.
  const clientId = route?.group.client_id ?? page.info.clients[0] ?? 0;
  const formOf = (chosen: File) => ({
    file: chosen,
    target:
      mode === 'update' && route
        ? { groupId: route.groupId }
        : { clientId, name: shownName.trim() || undefined, type_calculation: type },
    choice: proposal?.choice ?? undefined,
    validFrom: day,
  });
  const readAgain = useEffectEvent(() => file && void read(file, proposal?.choice ?? undefined));
  const seen = useRef({ day, mode });
  useEffect(() => {
    // What a file does to a route depends on the day, and whether it does it to one on the mode.
    if (seen.current.day === day && seen.current.mode === mode) return;
    seen.current = { day, mode };
    readAgain();
  }, [day, mode]);
  const take = (chosen: File) => {
    setFile(chosen);
    setProposal(undefined);
    setReplaces(null);
    setName(undefined);
    onPreview(undefined);
    void read(chosen);
  };
  const drop = () => {
    callOff();
    setFile(undefined);
    setProposal(undefined);
    setReplaces(null);
    setProblem(undefined);
    onPreview(undefined);
  };
  const ask = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (replaces && replaces.stops_removed > 0) setAsking(true);
    else void save();
  };
  const save = async () => {
    setAsking(false);
    if (!file || !proposal || needsChoice || hasNothing) return;
    const nameProblem = fieldProblem(shownName, { isRequired: true }, problems);
    if (mode === 'create' && nameProblem !== undefined) {
      setProblem({ at: 'name', text: nameProblem });
      return;
    }
    setSaving(true);
    setProblem(undefined);
    try {
      const answer = await orFar((confirm_far) =>
        send({ ...formOf(file), preview: false, confirm_far }),
      );
      if (!answer?.group) return;
      const said = mode === 'create' ? text.created : text.updated;
      showToast({ kind: 'done', text: said(answer.group.name) });
      await forgetRoutes();
      const own = answer.group.id === page.info.group?.id;
      go({ part: undefined, act: undefined, route: own ? undefined : String(answer.group.id) });
    } catch (error) {
      const isName = error instanceof ApiError && error.field === 'name';
      setProblem(
        isName
          ? { at: 'name', text: problemText(error, text) }
          : { at: 'file', text: fileProblem(error, text) },
      );
    } finally {
      setSaving(false);
    }
  };

  return (
    <form className={styles.form} onSubmit={ask}>
      {route && (
        <Choice
          label={text.fileMode}
          value={mode}
          options={[
            { value: 'update', label: text.updateThis(route.group.name) },
            { value: 'create', label: text.createNew },
          ]}
          onChange={setMode}
        />
      )}
      <FileDrop
        label={text.file}
        accept={FORMATS}
        file={file}
        progress={progress}
        isReading={progress === 1 && !isSaving}
        problem={problem?.at === 'file' ? problem.text : undefined}
        onFile={take}
        onCancel={drop}
      />
      {proposal && file && (
        <ReadFile
          proposal={proposal}
          isBusy={progress !== undefined}
          onChoice={(choice) => void read(file, choice)}
        />
      )}
      {mode === 'create' && file && (
        <>
          <TextField
            label={text.routeName}
            value={shownName}
            maxLength={255}
            problem={problem?.at === 'name' ? problem.text : undefined}
            onChange={(event) => {
              setName(event.target.value);
              if (problem?.at === 'name') setProblem(undefined);
            }}
          />
          <Choice
            label={text.calculationType}
            value={type}
            options={[
              { value: 'FIXED', label: text.fixed },
              { value: 'CALCULATION', label: text.calculation },
            ]}
            onChange={setType}
          />
        </>
      )}
      {mode === 'update' && route && replaces && (
        <Replacement of={replaces} route={route.group.name} day={day} />
      )}
      <ClosedDay day={day} isOpen={isOpen} page={page} />
      {proposal && (
        <div className={styles.actions}>
          <Button
            type="submit"
            kind="primary"
            isBusy={isSaving}
            disabled={!isOpen || progress !== undefined || needsChoice || hasNothing}
          >
            {mode === 'create' ? text.create : text.update}
          </Button>
        </div>
      )}
      {isAsking && route && replaces && (
        <LosesStops
          of={replaces}
          route={route.group.name}
          day={day}
          onYes={() => void save()}
          onNo={() => setAsking(false)}
        />
      )}
    </form>
  );
}

// The server's own sentence says what is wrong with the file, in the user's language; it stands behind ours.
function fileProblem(error: unknown, text: RouteTexts): string {
  if (!(error instanceof ApiError)) return problemText(error, text);
  if (error.error === 'too_large') return text.fileTooLarge;
  if (error.status !== 400 && error.status !== 415) return problemText(error, text);
  return `${text.fileFormat}: ${error.message}`;
}
