import {
  type AdminBus,
  type BusSettings,
  findAdminBus,
  setBusSettings,
  updateBus,
} from '@ridewatch/contract/admin-buses';
import { listGroups } from '@ridewatch/contract/admin-groups';
import { findUnit } from '@ridewatch/contract/admin-units';
import { MAX_PAGE_SIZE } from '@ridewatch/contract/paging';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { useEndpoint } from '../../calls/api.ts';
import { type AnswerOf, call } from '../../calls/request.ts';
import { ApiError } from '../../core/api-error.ts';
import { lazyComponent } from '../../core/lazy-component.tsx';
import { MonthPage } from '../../forms/month-page.tsx';
import { formatDay } from '../../i18n/format.ts';
import { useText } from '../../i18n/language.ts';
import { FailedRead } from '../../page/failed-read.tsx';
import { Button } from '../../ui/button.tsx';
import { DrawerPart, Facts, factsOf } from './drawer-part.tsx';
import { EditForm } from './edit-form.tsx';
import fieldStyles from './fields.module.css';
import type { FormField } from './form-values.ts';
import { callOfRow, useRowAction } from './row-calls.ts';
import { RowLink } from './rows-table.tsx';
import { type AdminContext, optionsOf } from './section.ts';
import { isToldByForm } from './section-form.ts';
import { Sure } from './sure.tsx';
import { units } from './units.tsx';
import { useAdminText } from './use-admin-text.ts';
import { ADMIN_KEY, readAgain } from './use-rows.ts';

interface PartProps {
  row: AdminBus;
  context: AdminContext;
}

/** The parts of a bus's drawer: what is valid from a day, unit and cameras, taking it out of the fleet. */
export function BusParts({ row, context }: PartProps) {
  const text = useAdminText();
  const { unit, cameras } = row;
  return (
    <>
      <SettingsPart key={row.id} {...{ row, context }} />
      <OwnersPart busId={row.id} />
      <DrawerPart title={text.fields.unit}>
        {unit ? (
          <>
            <RowLinkLine name="units" id={unit.id}>
              {unit.device_id}
            </RowLinkLine>
            <UnitFacts unitId={unit.id} context={context} />
          </>
        ) : (
          text.states.none
        )}
      </DrawerPart>
      <DrawerPart title={`${text.fields.cameras} ${cameras.length}`}>
        {cameras.map(({ id, name, enabled, status }) => (
          <RowLinkLine
            key={id}
            name="cameras"
            id={id}
            note={enabled ? text.cameraStates[status ?? 'offline'] : text.cameraStates.disabled}
          >
            {name}
          </RowLinkLine>
        ))}
      </DrawerPart>
      {unit && <HappeningsPart busId={row.id} />}
      <RetirePart {...{ row, context }} />
    </>
  );
}

const HappeningsPart = lazyComponent(async () => (await import('./happenings.tsx')).HappeningsPart);

const OwnersPart = lazyComponent(async () => (await import('./bus-owners.tsx')).OwnersPart);

/** Shows what the unit of a bus says of itself, as in the unit's own drawer. */
function UnitFacts({ unitId, context }: { unitId: number; context: AdminContext }) {
  const { data } = useEndpoint(findUnit, { params: { unitId } });
  const told = units.properties(context).filter(({ key }) => key !== 'bus' && key !== 'created_at');
  return <Facts facts={data ? factsOf(told, data) : []} />;
}

interface RowLinkLineProps {
  name: string;
  id: number;
  note?: string;
  children: string;
}

function RowLinkLine({ name, id, note, children }: RowLinkLineProps) {
  return (
    <p
      style={{
        position: 'relative',
        display: 'flex',
        gap: 12,
        minHeight: 32,
        alignItems: 'center',
      }}
    >
      <RowLink {...{ name, id }}>{children}</RowLink>
      {note !== undefined && <small>{note}</small>}
    </p>
  );
}

function SettingsPart({ row, context }: PartProps) {
  const text = useAdminText();
  const { cancel } = useText().common;
  const [isChanging, setChanging] = useState(false);
  const [day, setDay] = useState<string>();
  const answer = useEndpoint(findAdminBus, { params: { busId: row.id } });
  const { data } = answer;
  const { fields, sources } = text;
  const close = () => {
    setChanging(false);
    setDay(undefined);
  };
  if (isChanging && day !== undefined && data) {
    return (
      <DrawerPart title={`${text.changeFrom}: ${formatDay(day)}`}>
        <SettingsForm bus={data} {...{ day, context }} onClose={close} />
      </DrawerPart>
    );
  }
  if (isChanging) {
    // The day comes first: the form shows what holds on it.
    return (
      <DrawerPart title={text.changeFrom} tool={<Button onClick={close}>{cancel}</Button>}>
        <MonthPage day={context.today} today={context.today} onDay={setDay} />
      </DrawerPart>
    );
  }
  return (
    <DrawerPart
      title={text.settings}
      tool={
        <Button disabled={data === undefined} onClick={() => setChanging(true)}>
          {text.changeFrom}
        </Button>
      }
    >
      <Facts
        facts={[
          [text.validFrom, row.valid_from === null ? null : formatDay(row.valid_from)],
          [fields.group_id, row.group?.name ?? null],
          [fields.timezone, row.timezone],
          [fields.count_source, sources[row.count_source]],
        ]}
      />
      <FailedRead answer={answer} what={text.settingsHistory} />
      {data && data.settings.length > 1 && (
        <details>
          <summary>{text.settingsHistory}</summary>
          <Facts
            facts={data.settings.map((one) => [
              text.since(formatDay(one.valid_from)),
              [one.group?.name ?? '—', one.timezone, sources[one.count_source]].join(' · '),
            ])}
          />
        </details>
      )}
    </DrawerPart>
  );
}

/** The routes of the customers of a bus, to choose from. */
export function useRouteOptions(clientIds: readonly number[], isOn: boolean) {
  const answers = useQueries({
    queries: clientIds.map((clientId) => ({
      queryKey: [ADMIN_KEY, 'groups', 'of', clientId],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call(listGroups, { query: { clientId, perPage: MAX_PAGE_SIZE }, signal }),
      enabled: isOn,
    })),
  });
  return answers.flatMap(({ data }) =>
    (data?.items ?? []).map(({ id, name }) => ({ value: `${id}`, label: name })),
  );
}

/** Zones of the browser, to choose from. */
export const zoneOptions = () =>
  Intl.supportedValuesOf('timeZone').map((zone) => ({ value: zone, label: zone }));

type BusWithSettings = AnswerOf<typeof findAdminBus>;

/** The settings of a bus on a day, as the server finds them: before the first ones, those. */
const settingsOn = (
  bus: BusWithSettings,
  day: string,
): Pick<BusSettings, 'group' | 'timezone' | 'count_source'> =>
  bus.settings.find(({ valid_from }) => valid_from <= day) ?? bus.settings.at(-1) ?? bus;

interface SettingsFormProps {
  bus: BusWithSettings;
  day: string;
  context: AdminContext;
  onClose: () => void;
}

/** Changes from a day on what holds on that day. */
function SettingsForm({ bus, day, context, onClose }: SettingsFormProps) {
  const text = useAdminText();
  const { save } = useText().common;
  const [isForeign, setForeign] = useState(false);
  const isAdmin = context.user.role === 'ADMIN';
  const routes = useRouteOptions(
    bus.clients.map(({ id }) => id),
    isAdmin,
  );
  const { fields, sources } = text;
  const { group, timezone, count_source } = settingsOn(bus, day);
  const route = `${group?.id ?? ''}`;
  // It may belong to a former customer.
  const own = group && routes.every(({ value }) => value !== route);
  const options = own ? [{ value: route, label: group.name }, ...routes] : routes;
  const formFields: FormField[] = [
    ...(isAdmin
      ? [{ key: 'group_id', kind: 'pick', label: fields.group_id, options } as const]
      : []),
    {
      ...{ key: 'timezone', kind: 'pick', label: fields.timezone, isRequired: true },
      ...{ options: zoneOptions(), wire: String },
    },
    {
      ...{ key: 'count_source', kind: 'choice', label: fields.count_source },
      options: optionsOf(['unit', 'video'], sources),
    },
  ];
  return (
    <>
      <p className={fieldStyles.note}>{text.validFromHint}</p>
      {isForeign && (
        <p role="alert" className={fieldStyles.note} data-problem>
          {text.problems['invalid_request.valid_from']}
        </p>
      )}
      <EditForm
        form={{
          fields: formFields,
          values: { group_id: route, timezone, count_source },
          save: async (changed, seen) => {
            setForeign(false);
            const params = { busId: bus.id };
            const body = { ...changed, seen, valid_from: day };
            try {
              const send = (isQuiet: (error: ApiError) => boolean) =>
                call(setBusSettings, { params, body, isQuiet });
              return (await callOfRow(send, isToldByForm)).id;
            } catch (error) {
              if (!(error instanceof ApiError) || error.field !== 'valid_from') throw error;
              setForeign(true);
              // The form has no field of the day that could tell it.
              throw new ApiError(error.status, error.error, error.message);
            }
          },
        }}
        today={context.today}
        label={save}
        onSaved={onClose}
        onCancel={onClose}
      />
    </>
  );
}

function RetirePart({ row }: PartProps) {
  const text = useAdminText();
  const action = useRowAction(updateBus, { onSettled: () => readAgain() });
  const retired = row.retired_at === null;
  const change = () => action.mutate({ params: { busId: row.id }, body: { retired } });
  return retired ? (
    <Sure label={text.retire} text={text.retireText} isBusy={action.isPending} onSure={change} />
  ) : (
    <Button isBusy={action.isPending} onClick={change}>
      {text.giveBack}
    </Button>
  );
}
