import { Fragment, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../core/api-error.ts';
import { useFormText } from '../../forms/use-form-text.ts';
import { useText } from '../../i18n/language.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toast-store.ts';
import styles from './edit-form.module.css';
import { Field } from './fields.tsx';
import {
  changedKeys,
  type FormField,
  problemIn,
  shownValue,
  type Values,
  wireOf,
} from './form-values.ts';
import type { RowForm, Sent } from './section.ts';
import { useAdminText } from './use-admin-text.ts';
import { readAgain } from './use-rows.ts';
import { useUnsaved } from './use-unsaved.tsx';

/** A field with a list would open it. */
const FIRST_FIELD = 'input:not([role=combobox]), textarea';

interface EditFormProps {
  form: RowForm;
  today: string;
  /** The label of the button that saves. */
  label: string;
  /** Sends all values, not only changed ones: of a new row. */
  isNew?: boolean;
  /** Values for empty fields, which count as typed. */
  proposed?: Values;
  onSaved: (id: number) => void;
  /** Absent: a form that stays open. */
  onCancel?: () => void;
}

/** A form that saves when its button is pressed. It keeps what is typed until it is saved, or somebody discards it. */
export function EditForm(props: EditFormProps) {
  const { form, proposed = {}, today, label, isNew = false, onSaved, onCancel } = props;
  const text = useAdminText();
  const common = useText().common;
  const formText = useFormText();
  // Rows are read again while somebody types; the form stays with the values that it began with.
  const [start, setStart] = useState(form.values);
  const [values, setValues] = useState<Values>(() => ({
    ...form.values,
    ...Object.fromEntries(Object.entries(proposed).filter(([key]) => form.values[key] === '')),
  }));
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [isBusy, setBusy] = useState(false);
  const [conflict, setConflict] = useState<string>();
  const shown = form.fields.filter((field) => field.isShown?.(values) ?? true);
  const changed = changedKeys(shown, start, values);
  const { dialog, release } = useUnsaved(changed.length > 0);
  const element = useRef<HTMLFormElement>(null);
  // On a phone the keyboard would cover what the form is about.
  const isPhone = useIsPhone();
  const takesFocus = onCancel !== undefined && !isPhone;
  useEffect(() => {
    if (takesFocus) element.current?.querySelector<HTMLElement>(FIRST_FIELD)?.focus();
  }, [takesFocus]);

  /** @param seen the stored values that the user knows */
  const save = async (seen: Values): Promise<void> => {
    const found = problemsOf(shown, (field) =>
      problemIn(field, values[field.key] ?? '', formText, text),
    );
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      const sent = shown.filter(({ key }) => isNew || changed.includes(key));
      const id = await form.save(wiresOf(sent, values), wiresOf(sent, seen));
      release();
      setConflict(undefined);
      showToast({ kind: 'done', text: text.saved });
      await readAgain();
      onSaved(id);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const [, taken] = /^seen\.(.+)$/.exec(error.field ?? '') ?? [];
      if (error.status === 409 && taken !== undefined) {
        await readAgain();
        setConflict(taken);
      }
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
  const theirs = shown.find(({ key }) => key === conflict);
  const stored = ({ key }: FormField) => form.values[key] ?? '';
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void save(start);
  };
  return (
    <form ref={element} className={styles.form} onSubmit={submit} noValidate>
      {theirs && (
        <div role="alert" className={styles.conflict}>
          <p>{text.conflict(theirs.label, shownValue(theirs, stored(theirs), text))}</p>
          <Button
            onClick={() => {
              const own = Object.fromEntries(changed.map((key) => [key, values[key] ?? '']));
              setStart(form.values);
              setValues({ ...form.values, ...own });
              void save(form.values);
            }}
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

const wiresOf = (fields: readonly FormField[], values: Values): Sent =>
  Object.fromEntries(fields.map((field) => [field.key, wireOf(field, values[field.key] ?? '')]));

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
