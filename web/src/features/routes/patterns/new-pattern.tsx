import { MAX_TEXT_LENGTH } from '@ridewatch/contract/primitives';
import type { RouteStop } from '@ridewatch/contract/routes';
import { useState } from 'react';
import { fieldProblem } from '../../../forms/field-problem.ts';
import { TextField } from '../../../forms/text-field.tsx';
import { useFormText } from '../../../forms/use-form-text.ts';
import { useText } from '../../../i18n/language.ts';
import { useAddress } from '../../../page/use-address.ts';
import { Button } from '../../../ui/button.tsx';
import { showToast } from '../../../ui/toast-store.ts';
import type { RouteAddress } from '../address.ts';
import { RouteMap } from '../route-map.tsx';
import type { ShownRoute } from '../use-route.ts';
import styles from './pattern-part.module.css';
import { LEAST_STOPS, PatternStops } from './pattern-stops.tsx';
import { PatternsBar } from './patterns-bar.tsx';
import type { UnusedStops } from './unused-stop.tsx';
import { usePatternText } from './use-pattern-text.ts';
import { stopsOfPattern, usePatternEdits, usePatternProblem } from './use-patterns.ts';

interface NewPatternProps {
  route: ShownRoute;
  /** All stops that patterns of the route have. */
  stops: readonly RouteStop[];
  unused: UnusedStops;
}

/** A pattern before it is added: the default one, until the user unchecks stops. */
export function NewPattern({ route, stops, unused }: NewPatternProps) {
  const text = usePatternText();
  const common = useText().common;
  const { go, note } = useAddress<RouteAddress>();
  const edits = usePatternEdits(route.routeId, route.day);
  const reasonOf = usePatternProblem();
  const [ids, setIds] = useState<readonly number[]>(() => route.stops.map(({ id }) => id));
  const [typed, setTyped] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const { problems } = useFormText();
  const [isTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const chosen = stopsOfPattern({ stop_ids: [...ids] }, stops);
  const name = typed ?? proposedName(chosen);
  const nameProblem = fieldProblem(
    name,
    { isRequired: true, mostLength: MAX_TEXT_LENGTH },
    problems,
  );
  const add = async () => {
    setTried(true);
    if (nameProblem !== undefined) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const { items } = await edits.add(name.trim(), [...ids]);
      showToast({ kind: 'done', text: text.added(name.trim()) });
      const added = items.find((one) => one.name === name.trim());
      note({ pattern: added?.id == null ? undefined : String(added.id) });
    } catch (error) {
      setProblem(reasonOf(error));
      setBusy(false);
    }
  };
  const isShort = ids.length < LEAST_STOPS;
  return (
    <div className={styles.part}>
      <form
        className={styles.column}
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <PatternsBar route={route} />
        <TextField
          label={text.name}
          value={name}
          problem={isTried ? nameProblem : undefined}
          onChange={(event) => setTyped(event.target.value)}
        />
        <p className={styles.hint}>{isShort ? text.twoStops : text.hint}</p>
        {problem && (
          <p role="alert" className={styles.problem}>
            {problem}
          </p>
        )}
        <div className={styles.actions}>
          <Button type="submit" kind="primary" isBusy={isBusy} disabled={isShort}>
            {text.add}
          </Button>
          <Button onClick={() => go({ pattern: undefined })}>{common.cancel}</Button>
        </div>
        <PatternStops stops={stops} ids={ids} isOpen={!isBusy} onIds={setIds} unused={unused} />
      </form>
      <RouteMap
        className={styles.map}
        viewKey={`${route.routeId}`}
        track={route.details.track}
        stops={chosen}
      />
    </div>
  );
}

/** After the ends of its way there, until the user types a name. */
function proposedName(stops: readonly RouteStop[]): string {
  const forward = stops.filter(({ routeDirection }) => routeDirection === 'FORWARD');
  const way = forward.length > 0 ? forward : stops;
  const [first, last] = [way[0], way.at(-1)];
  return first && last ? `${first.name} – ${last.name}`.slice(0, MAX_TEXT_LENGTH) : '';
}
