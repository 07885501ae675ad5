import { MAX_TEXT_LENGTH } from '@ridewatch/contract/primitives';
import { FileDrop } from '../../../forms/file-drop.tsx';
import { TextField } from '../../../forms/text-field.tsx';
import { Button } from '../../../ui/button.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { useRouteText } from '../use-route-text.ts';
import styles from './action-form.module.css';
import type { ActionProps } from './action-props.ts';
import { ClosedDay } from './closed-day.tsx';
import { ReadFile } from './read-file.tsx';
import { LosesStops, Replacement } from './replacement.tsx';
import { type FileReading, useFileReading } from './use-file-reading.ts';
import { useFileSaving } from './use-file-saving.ts';

const FORMATS = '.gpx,.kml,.geojson,.json,.csv,.txt,.zip';

/** Makes or updates a route from a file, after a preview. */
export function FromFile(props: ActionProps) {
  const { route, day, isOpen, page } = props;
  const text = useRouteText();
  const reading = useFileReading(props);
  const saving = useFileSaving(reading, page.info.group?.id);
  const { mode, file, proposal, progress, problem, replaces } = reading;
  return (
    <form
      className={styles.form}
      // Its choices take nothing while the server reads the file again; the one with the focus has it afterwards, too.
      aria-busy={progress !== undefined || undefined}
      onSubmit={(event) => {
        event.preventDefault();
        saving.ask();
      }}
    >
      {route && (
        <Choice
          label={text.fileMode}
          value={mode}
          options={[
            { value: 'update', label: text.updateThis(route.details.name) },
            { value: 'create', label: text.createNew },
          ]}
          onChange={reading.setMode}
        />
      )}
      <FileDrop
        label={text.file}
        accept={FORMATS}
        file={file}
        progress={progress}
        isReading={progress === 1 && !saving.isSaving}
        problem={problem?.at === 'file' ? problem.text : undefined}
        onFile={reading.take}
        onCancel={reading.drop}
      />
      {proposal && file && (
        <ReadFile
          proposal={proposal}
          isBusy={progress !== undefined}
          onChoice={reading.choose}
          onTurn={reading.turnAt}
        />
      )}
      {mode === 'create' && file && <NewRoute reading={reading} />}
      {mode === 'update' && route && replaces && (
        <Replacement of={replaces} route={route.details.name} day={day} />
      )}
      <ClosedDay day={day} isOpen={isOpen} page={page} />
      {proposal && (
        <div className={styles.actions}>
          <Button
            type="submit"
            kind="primary"
            isBusy={saving.isSaving}
            disabled={!isOpen || progress !== undefined || reading.isUnusable}
          >
            {mode === 'create' ? text.create : text.update}
          </Button>
        </div>
      )}
      {saving.isAsking && route && replaces && (
        <LosesStops
          of={replaces}
          route={route.details.name}
          day={day}
          onYes={() => void saving.save()}
          onNo={saving.cancel}
        />
      )}
    </form>
  );
}

/** Name and revenue calculation of a new route. */
function NewRoute({ reading }: { reading: FileReading }) {
  const text = useRouteText();
  const { name, type, problem } = reading;
  return (
    <>
      <TextField
        label={text.routeName}
        value={name}
        maxLength={MAX_TEXT_LENGTH}
        problem={problem?.at === 'name' ? problem.text : undefined}
        onChange={(event) => reading.setName(event.target.value)}
      />
      <Choice
        label={text.calculationType}
        value={type}
        options={[
          { value: 'FIXED', label: text.fixed },
          { value: 'CALCULATION', label: text.calculation },
        ]}
        onChange={reading.setType}
      />
    </>
  );
}
