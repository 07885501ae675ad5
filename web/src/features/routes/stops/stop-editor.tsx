import { findBusInfo } from '@ridewatch/contract/buses';
import { setTerminalStop } from '@ridewatch/contract/laps';
import type { RouteStop } from '@ridewatch/contract/routes';
import { useState } from 'react';
import type { BusPageState } from '../../../bus-page/use-bus-page.ts';
import { queryClient, useAction } from '../../../calls/api.ts';
import { fieldProblem } from '../../../forms/field-problem.ts';
import { Modal } from '../../../forms/modal.tsx';
import { SavedField } from '../../../forms/saved-field.tsx';
import { useFormText } from '../../../forms/use-form-text.ts';
import { formatDay } from '../../../i18n/format.ts';
import { useText } from '../../../i18n/language.ts';
import { Button } from '../../../ui/button.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { readPlace, showPlace } from '../place-text.ts';
import { stopsOf } from '../stop-order.ts';
import { useEditProblem } from '../use-edit-problem.ts';
import { useRouteText } from '../use-route-text.ts';
import styles from './stop-editor.module.css';
import type { StopEdits } from './use-stop-edits.ts';

interface StopEditorProps {
  stop: RouteStop;
  stops: readonly RouteStop[];
  day: string;
  edits: StopEdits;
  page: BusPageState;
  /** The stop belongs to the bus's own route: its laps can begin here. */
  isOwnRoute: boolean;
  onGone: () => void;
}

/** The editor of a stop. */
export function StopEditor(props: StopEditorProps) {
  const { stop, stops, day, edits, page, isOwnRoute, onGone } = props;
  const text = useRouteText();
  const common = useText().common;
  const { problems } = useFormText();
  const [isLeaving, setLeaving] = useState(false);
  const begin = useAction(setTerminalStop, {
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [findBusInfo.path] }),
  });
  const reasonOf = useEditProblem();
  const isBegin = page.info.terminal_bus_stop_id === stop.id;
  const setBegin = (busStopId: number | null) =>
    begin.mutate({ body: { workplaceId: page.info.id, busStopId, valid_from: day } });

  return (
    <div className={styles.editor}>
      <SavedField
        label={text.stopName}
        value={stop.name}
        check={(name) => fieldProblem(name, { isRequired: true }, problems)}
        onSave={(name, seen) => edits.save(stop.id, { name }, { name: seen })}
        reasonOf={reasonOf}
        readStored={async () => (await edits.read(stop.id)).name}
      />
      <SavedField
        label={text.stopPlace}
        value={showPlace(stop)}
        hint={text.moveHint}
        check={(typed) => (readPlace(typed) ? undefined : text.badPlace)}
        onSave={async (typed, seen) => {
          // The field shows rounded coordinates.
          const { latitude, longitude } = stop;
          const before = seen === showPlace(stop) ? { latitude, longitude } : readPlace(seen);
          await edits.save(stop.id, readPlace(typed) ?? {}, before ?? {});
        }}
        reasonOf={reasonOf}
        readStored={async () => showPlace(await edits.read(stop.id))}
      />
      <Choice
        label={text.direction}
        value={stop.routeDirection}
        options={[
          { value: 'FORWARD', label: text.directions.FORWARD },
          { value: 'REVERSE', label: text.directions.REVERSE },
        ]}
        onChange={(routeDirection) => {
          if (routeDirection === stop.routeDirection) return;
          const orderKey = stopsOf(stops, routeDirection).length;
          edits.move(stop.id, { routeDirection, orderKey });
        }}
      />
      <div className={styles.actions}>
        <TerminalButtons stop={stop} stops={stops} edits={edits} />
        {isOwnRoute && (
          <Button isBusy={begin.isPending} onClick={() => setBegin(isBegin ? null : stop.id)}>
            {isBegin ? text.beginAtFirst : text.beginHere}
          </Button>
        )}
        <Button kind="danger" onClick={() => setLeaving(true)}>
          {text.removeStop}
        </Button>
      </div>
      {begin.error && (
        <p role="alert" className={styles.problem}>
          {reasonOf(begin.error)}
        </p>
      )}
      {isLeaving && (
        <Modal title={text.removeTitle(stop.name)} onClose={() => setLeaving(false)}>
          <p>{text.removeText(formatDay(day))}</p>
          <div className={styles.actions}>
            <Button
              kind="danger"
              onClick={() => {
                setLeaving(false);
                onGone();
                edits.remove(stop.id);
              }}
            >
              {text.removeStop}
            </Button>
            <Button onClick={() => setLeaving(false)}>{common.cancel}</Button>
          </div>
        </Modal>
      )}
    </div>
  );
}

/** Buttons that make a stop a terminal of its route, or unset the second one. */
function TerminalButtons({
  stop,
  stops,
  edits,
}: Pick<StopEditorProps, 'stop' | 'stops' | 'edits'>) {
  const text = useRouteText();
  const first = stops.find(({ terminal }) => terminal === 'first');
  const last = stops.find(({ terminal }) => terminal === 'last');
  const lastId = last && last.id !== stop.id ? last.id : null;
  return (
    <>
      {stop.terminal !== 'first' && (
        <Button onClick={() => edits.setTerminals(stop.id, lastId, stop.id)}>
          {text.makeFirst}
        </Button>
      )}
      {first && stop.terminal === null && (
        <Button onClick={() => edits.setTerminals(first.id, stop.id, stop.id)}>
          {text.makeLast}
        </Button>
      )}
      {first && stop.terminal === 'last' && (
        <Button onClick={() => edits.setTerminals(first.id, null, stop.id)}>{text.dropLast}</Button>
      )}
    </>
  );
}
