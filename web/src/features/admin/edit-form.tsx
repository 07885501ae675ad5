import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { reportFailure } from '../../calls/failures.ts';
import { ApiError } from '../../core/api-error.ts';
import { useFormText } from '../../forms/use-form-text.ts';
import { useText } from '../../i18n/language.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { Button } from '../../ui/button.tsx';
import { isByKey } from '../../ui/last-input.ts';
import { showToast } from '../../ui/toast-store.ts';
import { useLock } from '../../ui/use-lock.ts';
import styles from './edit-form.module.css';
import { FormFields } from './form-fields.tsx';
import {
  changedKeys,
  type FormField,
  problemIn,
  shownValue,
  type Values,
  wireOf,
} from './form-values.ts';
import type { RowForm, Sent } from './section.ts';
import { isToldByForm } from './section-form.ts';
import { useAdminText } from './use-admin-text.ts';
import { readAgain } from './use-rows.ts';
import { useStillHere } from './use-still-here.ts';
import { useUnsaved } from './use-unsaved.tsx';

const FIRST_FIELD = 'input, textarea, button';
const FIRST_CHOICE = '[role=combobox]';
const REFUSED_FIELD = '[aria-invalid=true]';

interface EditFormProps {
  form: RowForm;
  today: string;
  /** The label of the button that saves. */
  label: string;
  /** Sends all values, not only changed ones: of a new row. */
  isNew?: boolean;
  /** The row was just made of what was known; its first choice is missing, and has the focus. */
  isToFinish?: boolean;
  /** Values for empty fields, which count as typed. */
  proposed?: Values;
  onSaved: (id: number) => void;
  /** Absent: a form that stays open. */
  onCancel?: () => void;
}

/** A form that saves when its button is pressed. It keeps what is typed until it is saved, or somebody discards it. */
export function EditForm(props: EditFormProps) {
  const { form, proposed = {}, today, label, isNew = false, isToFinish, onSaved, onCancel } = props;
  const text = useAdminText();
  const locked = useLock();
  const common = useText().common;
  const formText = useFormText();
  // Rows are read again while somebody types; the form stays with the values that it began with.
  const [start, setStart] = useState(form.values);
  const [values, setValues] = useState<Values>(() => ({
    ...form.values,
    ...Object.fromEntries(Object.entries(proposed).filter(([key]) => form.values[key] === '')),
  }));
  // An answer compares what was sent with what is typed by then.
  const latest = useRef(values);
  const change = (next: Values) => {
    latest.current = next;
    setValues(next);
  };
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [isBusy, setBusy] = useState(false);
  // A second press comes before the first is drawn; both would create a row.
  const isSaving = useRef(false);
  /** The control that had the focus when the form was sent. */
  const sentFrom = useRef<Element>(null);
  const [conflict, setConflict] = useState<string>();
  const shownOf = (typed: Values) => form.fields.filter(({ isShown }) => isShown?.(typed) ?? true);
  const shown = shownOf(values);
  const changed = changedKeys(shown, start, values);
  const { dialog, release, isLetGo } = useUnsaved(changed.length > 0);
  const isHere = useStillHere();
  const element = useRef<HTMLFormElement>(null);
  // For a finger the keyboard would come up and cover what the form is about. A phone that is turned moves no focus.
  const isPhone = useIsPhone();
  const [takesFocus] = useState(() => onCancel !== undefined && (!isPhone || isByKey()));
  useEffect(() => {
    const first = isToFinish ? FIRST_CHOICE : FIRST_FIELD;
    if (takesFocus) element.current?.querySelector<HTMLElement>(first)?.focus();
  }, [takesFocus, isToFinish]);
  useEffect(() => {
    if (!isBusy) return;
    return () => {
      // Controls that take nothing lose the focus, unless the answer comes before the browser has drawn them.
      const { activeElement } = document;
      if (activeElement !== document.body && activeElement !== sentFrom.current) return;
      const next = element.current?.querySelector(REFUSED_FIELD) ?? sentFrom.current;
      if (next instanceof HTMLElement) next.focus();
    };
  }, [isBusy]);

  /** @param seen the stored values that the user knows @param own the values to store */
  const save = async (seen: Values, own: Values): Promise<void> => {
    if (isSaving.current) return;
    const fields = shownOf(own);
    const found = problemsOf(fields, (field) =>
      problemIn(field, own[field.key] ?? '', formText, text),
    );
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    isSaving.current = true;
    sentFrom.current = document.activeElement;
    setBusy(true);
    let isLeft = false;
    try {
      const sent = fields.filter(({ key }) => isNew || changed.includes(key));
      const id = await form.save(wiresOf(sent, own), wiresOf(sent, seen));
      const known = {
        ...seen,
        ...Object.fromEntries(sent.map(({ key }) => [key, own[key] ?? ''])),
      };
      setStart(known);
      setConflict(undefined);
      showToast({ kind: 'done', text: text.saved });
      await readAgain();
      const { current: typed } = latest;
      // A value that was typed since it was sent is not saved yet.
      const isWhole = changedKeys(shownOf(typed), known, typed).length === 0;
      if (!isHere() || isLetGo() || !isWhole) return;
      release();
      onSaved(id);
      isLeft = isNew;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const [, taken] = /^seen\.(.+)$/.exec(error.field ?? '') ?? [];
      if (error.status === 409 && taken !== undefined) {
        await readAgain();
        setConflict(taken);
      }
      // Somebody may have deleted it: the list and the drawer say so.
      if (error.status === 404) await readAgain();
      const { field } = error;
      const isShown = fields.some(({ key }) => key === (taken ?? field));
      // No field can tell it.
      if (!isShown && isToldByForm(error)) reportFailure(error, 'a form', false);
      if (field && isShown && taken === undefined) {
        const said = text.problems[`${error.error}.${field}`] ?? text.refused;
        setProblems({ [field]: (await form.explain?.(error)) ?? said });
      }
    } finally {
      // Enter would make another row until the first one is shown.
      if (!isLeft) {
        isSaving.current = false;
        setBusy(false);
      }
    }
  };
  const theirs = shown.find(({ key }) => key === conflict);
  const stored = ({ key }: FormField) => form.values[key] ?? '';
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void save(start, values);
  };
  return (
    <form
      ref={element}
      className={styles.form}
      // The focus waits: it must not go on to the button that discards everything.
      aria-busy={isBusy || undefined}
      onSubmit={submit}
      noValidate
    >
      {theirs && (
        <div role="alert" className={styles.conflict}>
          <p>{text.conflict(theirs.label, shownValue(theirs, stored(theirs), text))}</p>
          <Button
            isBusy={isBusy}
            onClick={() => {
              const changes = changed.map((key) => [key, values[key] ?? '']);
              const own = { ...form.values, ...Object.fromEntries(changes) };
              setStart(form.values);
              change(own);
              void save(form.values, own);
            }}
          >
            {text.writeOwn}
          </Button>
          <Button
            disabled={isBusy}
            onClick={() => {
              release();
              void readAgain().then(() => isHere() && onCancel?.());
            }}
          >
            {text.takeTheirs}
          </Button>
        </div>
      )}
      {/* A new row is sent as a whole, and nothing more could follow. */}
      <div className={styles.fields} inert={isNew && isBusy}>
        <FormFields
          {...{ values, problems, today }}
          fields={shown}
          onChange={(key, value) => {
            const also = shown.find((field) => field.key === key)?.also?.(value);
            change({ ...latest.current, ...also, [key]: value });
            const touched = [key, ...Object.keys(also ?? {})];
            setProblems((before) =>
              Object.fromEntries(Object.entries(before).filter(([one]) => !touched.includes(one))),
            );
          }}
        />
      </div>
      <div className={styles.actions}>
        <Button
          type="submit"
          kind="primary"
          isBusy={isBusy}
          locked={locked}
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
