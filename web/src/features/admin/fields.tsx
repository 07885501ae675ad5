import { findAdminBus, listAdminBuses } from '@ridewatch/contract/admin-buses';
import { folded } from '@ridewatch/contract/folded';
import { Link } from '@tanstack/react-router';
import { useDeferredValue, useId, useState } from 'react';
import { useEndpoint } from '../../calls/api.ts';
import { DayField } from '../../forms/day-field.tsx';
import { PickField } from '../../forms/pick-field.tsx';
import { Select } from '../../forms/select.tsx';
import { TextField } from '../../forms/text-field.tsx';
import { Button } from '../../ui/button.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import drawer from './drawer.module.css';
import styles from './fields.module.css';
import type { ControlProps, FormField, FormValue, Option } from './form-values.ts';
import { useAdminText } from './use-admin-text.ts';

interface FieldProps {
  field: FormField;
  value: FormValue;
  problem: string | undefined;
  today: string;
  onChange: (value: FormValue) => void;
}

/** One field of a form, by its kind. */
export function Field({ field, value, problem, today, onChange }: FieldProps) {
  const { kind, label, options = [], hint, Control } = field;
  const typed = typeof value === 'string' ? value : '';
  const noted = hint === undefined ? {} : { hint };
  if (Control) return <Control {...{ label, problem, hint, onChange }} value={typed} />;
  switch (kind) {
    case 'yes':
      return <YesField {...{ label, problem, hint }} isOn={value === true} onChange={onChange} />;
    case 'choice':
      return (
        <div>
          <Select {...{ label, options, onChange }} value={typed} />
          <FieldNote problem={problem} hint={hint} />
        </div>
      );
    case 'pick':
      return <PickField {...{ label, options, problem, onChange }} {...noted} value={typed} />;
    case 'bus':
      return <BusField {...{ field, problem, onChange }} value={typed} />;
    case 'many':
      return (
        <ManyField
          {...{ label, options, problem }}
          ids={Array.isArray(value) ? value : []}
          onChange={onChange}
        />
      );
    case 'day':
      return (
        <div>
          <DayField
            {...{ label, today, problem }}
            day={typed === '' ? undefined : typed}
            onDay={onChange}
          />
          {field.noDay !== undefined && typed !== '' && (
            <Button kind="quiet" onClick={() => onChange('')}>
              {field.noDay}
            </Button>
          )}
        </div>
      );
    case 'area':
      return <AreaField {...{ label, problem, hint, onChange }} value={typed} />;
    default:
      return (
        <TextField
          {...{ label, problem }}
          {...noted}
          type={kind === 'password' ? kind : 'text'}
          autoComplete={kind === 'password' ? 'new-password' : 'off'}
          inputMode={kind === 'whole' || kind === 'decimal' ? 'decimal' : undefined}
          value={typed}
          onChange={(event) => onChange(event.target.value)}
        />
      );
  }
}

function AreaField({ label, value, problem, hint, onChange }: ControlProps) {
  const id = useId();
  return (
    <div className={styles.area}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={8}
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-note`}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      <div id={`${id}-note`}>
        <FieldNote problem={problem} hint={hint} />
      </div>
    </div>
  );
}

function FieldNote({ problem, hint }: { problem: string | undefined; hint: string | undefined }) {
  return (
    <p className={styles.note} data-problem={problem ? true : undefined}>
      {problem ?? hint}
    </p>
  );
}

interface YesFieldProps {
  label: string;
  isOn: boolean;
  problem: string | undefined;
  hint: string | undefined;
  onChange: (isOn: boolean) => void;
}

function YesField({ label, isOn, problem, hint, onChange }: YesFieldProps) {
  return (
    <div className={styles.yes}>
      <label>
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => onChange(event.target.checked)}
        />
        {label}
      </label>
      <FieldNote problem={problem} hint={hint} />
    </div>
  );
}

interface BusFieldProps {
  field: FormField;
  value: string;
  problem: string | undefined;
  onChange: (value: string) => void;
}

/** Buses that a search finds at once. */
const MOST_FOUND = 20;

function BusField({ field, value, problem, onChange }: BusFieldProps) {
  const text = useAdminText();
  const [typed, setTyped] = useState(field.chosen ?? '');
  const search = useDeferredValue(value.startsWith('?') ? value.slice(1) : '');
  const { data, isLoading, isPlaceholderData } = useEndpoint(
    listAdminBuses,
    { query: { ...(search !== '' && { search }), perPage: MOST_FOUND } },
    { placeholderData: (before) => before },
  );
  const isAnswered = !isPlaceholderData && value === `?${search}`;
  const items = data?.items ?? [];
  // Buses of the very name come first. Two customers may have one plate: it chooses its bus if the answer has all of
  // them.
  const hasAllNamed =
    (data?.total ?? 0) <= items.length || folded(items.at(-1)?.name ?? '') !== folded(search);
  const found = items.map((one) => ({
    value: String(one.id),
    ...(isAnswered && hasAllNamed && { name: one.name }),
    label: [one.name, one.clients[0]?.name, field.markOf?.(one)].filter(Boolean).join(' · '),
  }));
  const isListed = found.some((one) => one.value === value);
  const isChosen = value !== '' && !value.startsWith('?') && !isListed;
  // The form may begin with a bus of which it knows no more than the id.
  const { data: bus } = useEndpoint(
    findAdminBus,
    { params: { busId: Number(value) } },
    { enabled: isChosen && typed === '' },
  );
  const chosen = isChosen && { value, label: typed === '' ? (bus?.name ?? '') : typed };
  const isNone = search === '' && !isPlaceholderData && data?.total === 0;
  return (
    <div>
      <PickField
        label={field.label}
        {...(isNone && { hint: text.noBusYet })}
        options={chosen ? [chosen, ...found] : found}
        isFound
        isSearching={value.startsWith('?') && (!isAnswered || isLoading)}
        {...{ value, problem }}
        onChange={(next) => {
          setTyped(found.find((one) => one.value === next)?.label ?? next.replace(/^\?/, ''));
          onChange(next);
        }}
      />
      {isNone && (
        <Link
          to="/admin/{-$section}/{-$id}"
          params={{ section: 'buses', id: 'new' }}
          search={{}}
          className={drawer.more}
        >
          {text.add.buses}
        </Link>
      )}
    </div>
  );
}

interface ManyFieldProps {
  label: string;
  options: readonly Option[];
  ids: readonly number[];
  problem: string | undefined;
  onChange: (ids: readonly number[]) => void;
}

function ManyField({ label, options, ids, problem, onChange }: ManyFieldProps) {
  const text = useAdminText();
  const [typed, setTyped] = useState('');
  const nameOf = (id: number) =>
    options.find(({ value }) => value === String(id))?.label ?? `${id}`;
  return (
    <div className={styles.many}>
      <PickField
        label={label}
        options={options.filter(({ value }) => !ids.includes(Number(value)))}
        value={typed}
        problem={problem ?? (typed.startsWith('?') ? text.chooseFromList : undefined)}
        onChange={(next) => {
          const isOption = next !== '' && !next.startsWith('?');
          setTyped(isOption ? '' : next);
          if (isOption) onChange([...ids, Number(next)].sort((a, b) => a - b));
        }}
      />
      {ids.length > 0 && (
        <ul className={styles.chips}>
          {ids.map((id) => (
            <li key={id}>
              {nameOf(id)}
              <button
                type="button"
                aria-label={text.remove(nameOf(id))}
                onClick={() => onChange(ids.filter((one) => one !== id))}
              >
                <CloseIcon />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
