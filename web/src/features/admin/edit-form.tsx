import { Fragment, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../core/api-error.ts';
import { useFormText } from '../../forms/use-form-text.ts';
import { useText } from '../../i18n/language.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toast-store.ts';
import styles from './edit-form.module.css';
import { Field } from './fields.tsx';
import { changedKeys, type FormField, problemIn, type Values, wireOf } from './form-values.ts';
import type { RowForm } from './section.ts';
import { useAdminText } from './use-admin-text.ts';
import { readAgain } from './use-rows.ts';
import { useUnsaved } from './use-unsaved.tsx';

/** A field with a list would open it. */
const FIRST_FIELD = 'input:not([role=combobox]), textarea';

interface EditFormProps {
  form: RowForm;
  /** Of the row that the form shows; 0 for a new one. */
  version: number;
  today: string;
  /** The label of the button that saves. */
  label: string;
  /** Sends all values, not only changed ones: of a new row. */
  isNew?: boolean;
  /** Values for empty fields, which count as typed. */
  proposed?: Values;
  /** Reads the version that is stored now. */
  latest?: () => Promise<number>;
  onSaved: (id: number) => void;
  /** Absent: a form that stays open. */
  onCancel?: () => void;
}

/** A form that saves when its button is pressed. It keeps what is typed until it is saved, or somebody discards it. */
export function EditForm(props: EditFormProps) {
  const { form, proposed = {}, version, today, label, isNew = false } = props;
  const { latest, onSaved, onCancel } = props;
  const text = useAdminText();
  const common = useText().common;
  const formText = useFormText();
  // Rows are read again while somebody types; the form stays with the version that it began with.
  const [start, setStart] = useState({ values: form.values, version });
  const [values, setValues] = useState<Values>(() => ({
    ...form.values,
    ...Object.fromEntries(Object.entries(proposed).filter(([key]) => form.values[key] === '')),
  }));
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [isBusy, setBusy] = useState(false);
  const [isConflict, setConflict] = useState(false);
  const shown = form.fields.filter((field) => field.isShown?.(values) ?? true);
  const changed = changedKeys(shown, start.values, values);
  const { dialog, release } = useUnsaved(changed.length > 0);
  const element = useRef<HTMLFormElement>(null);
  // On a phone the keyboard would cover what the form is about.
  const isPhone = useIsPhone();
  const takesFocus = onCancel !== undefined && !isPhone;
  useEffect(() => {
    if (takesFocus) element.current?.querySelector<HTMLElement>(FIRST_FIELD)?.focus();
  }, [takesFocus]);

  const save = async (over: number): Promise<void> => {
    const found = problemsOf(shown, (field) =>
      problemIn(field, values[field.key] ?? '', formText, text),
    );
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      const sent = shown.filter(({ key }) => isNew || changed.includes(key));
      const wire = sent.map((field) => [field.key, wireOf(field, values[field.key] ?? '')]);
      const id = await form.save(Object.fromEntries(wire), over);
      release();
      setConflict(false);
      showToast({ kind: 'done', text: text.saved });
      await readAgain();
      onSaved(id);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 409 && error.field === 'version') setConflict(true);
      if (error.status === 404) {
        // Somebody has deleted it: the list and the drawer say so.
        release();
        await readAgain();
      }
      const { field } = error;
      if (field && shown.some(({ key }) => key === field)) {
        const said = text.problems[`${error.error}.${field}`] ?? text.refused;
        setProblems({ [field]: said });
      }
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void save(start.version);
  };
  return (
    <form ref={element} className={styles.form} onSubmit={submit} noValidate>
      {isConflict && latest && (
        <div role="alert" className={styles.conflict}>
          <p>{text.conflict}</p>
          <Button
            onClick={() =>
              void latest().then((stored) => {
                setStart({ ...start, version: stored });
                return save(stored);
              })
            }
          >
            {text.writeOwn}
          </Button>
          <Button
            onClick={() => {
              release();
              void readAgain().then(() => onCancel?.());
            }}
          >
            {text.takeTheirs}
          </Button>
        </div>
      )}
      {shown.map((field) => (
        <Fragment key={field.key}>
          <Field
            {...{ field, today }}
            value={values[field.key] ?? ''}
            problem={problems[field.key]}
            onChange={(value) => {
              setValues((before) => ({ ...before, [field.key]: value }));
              setProblems(({ [field.key]: _, ...others }) => others);
            }}
          />
          {field.note?.(values[field.key] ?? '')}
        </Fragment>
      ))}
      <div className={styles.actions}>
        <Button
          type="submit"
          kind="primary"
          isBusy={isBusy}
          disabled={!isNew && changed.length === 0}
        >
          {label}
        </Button>
        {onCancel && (
          <Button
            onClick={() => {
              release();
              onCancel();
            }}
          >
            {common.cancel}
          </Button>
        )}
      </div>
      {dialog}
    </form>
  );
}

function problemsOf(
  fields: readonly FormField[],
  problemOf: (field: FormField) => string | undefined,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const problem = problemOf(field);
      return problem === undefined ? [] : [[field.key, problem]];
    }),
  );
}

/** Failures that a form tells beside its fields; others show a toast. */
export const isToldByForm = ({ status, field }: ApiError): boolean =>
  field !== undefined && [400, 403, 409].includes(status);
