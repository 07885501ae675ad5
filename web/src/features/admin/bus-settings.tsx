import {
  type AdminBus,
  type BusSettings,
  findAdminBus,
  setBusSettings,
} from '@ridewatch/contract/admin-buses';
import { listGroups } from '@ridewatch/contract/admin-groups';
import { addDays } from '@ridewatch/contract/day';
import { MAX_PAGE_SIZE } from '@ridewatch/contract/paging';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { useEndpoint } from '../../calls/api.ts';
import { type AnswerOf, call } from '../../calls/request.ts';
import { ApiError } from '../../core/api-error.ts';
import { MonthPage } from '../../forms/month-page.tsx';
import { formatDay } from '../../i18n/format.ts';
import { useText } from '../../i18n/language.ts';
import { textsOf } from '../../i18n/texts-of.ts';
import { FailedRead } from '../../page/failed-read.tsx';
import { Button } from '../../ui/button.tsx';
import { DrawerPart, Facts } from './drawer-part.tsx';
import { EditForm } from './edit-form.tsx';
import fieldStyles from './fields.module.css';
import type { FormField } from './form-values.ts';
import { isGone } from './is-gone.ts';
import { callOfRow } from './row-calls.ts';
import { type AdminContext, optionsOf } from './section.ts';
import { isToldByForm } from './section-form.ts';
import { useAdminText } from './use-admin-text.ts';
import { ADMIN_KEY } from './use-rows.ts';

const ru = {
  shown: 'Форма показывает, что действует в этот день.',
  since: 'Новые значения будут действовать с этого дня.',
  until: (day: string) =>
    `Новые значения будут действовать с этого дня по ${day}, дальше — другие настройки.`,
  earlierStay: 'Дни раньше не изменятся.',
  earlierChange: 'Изменятся и все дни раньше: у них нет своих настроек.',
};
const en: typeof ru = {
  shown: 'The form shows what holds on that day.',
  since: 'New values hold from that day on.',
  until: (day) => `New values hold from that day until ${day}, then other settings.`,
  earlierStay: 'Earlier days do not change.',
  earlierChange: 'All earlier days change, too: they have no settings of their own.',
};
const useSettingsText = textsOf({ ru_RU: ru, en_US: en });

interface SettingsPartProps {
  row: AdminBus;
  context: AdminContext;
}

/** Shows in the drawer of a bus what is valid from a day, and changes it from another day on. */
export function SettingsPart({ row, context }: SettingsPartProps) {
  const text = useAdminText();
  const { cancel } = useText().common;
  const [isChanging, setChanging] = useState(false);
  const [wasChanging, setWasChanging] = useState(false);
  const [day, setDay] = useState<string>();
  const params = { busId: row.id };
  // The drawer tells of a bus that is gone.
  const answer = useEndpoint(findAdminBus, { params }, { isQuiet: isGone });
  const { data } = answer;
  const { fields, sources } = text;
  const close = () => {
    setChanging(false);
    setWasChanging(true);
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
      <DrawerPart title={text.changeFrom}>
        <MonthPage day={context.today} today={context.today} onDay={setDay} />
        <div>
          {/* In the place of the button that led here, a double click would press it. */}
          <Button onClick={close}>{cancel}</Button>
        </div>
      </DrawerPart>
    );
  }
  return (
    <DrawerPart
      title={text.settings}
      tool={
        <Button
          autoFocus={wasChanging}
          disabled={data === undefined}
          onClick={() => setChanging(true)}
        >
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

/**
 * The routes of customers, to choose from; those of several customers are named with theirs.
 * @param isOn whether they are needed
 * @returns those that are read by now
 */
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
    (data?.items ?? []).map(({ id, name, client }) => ({
      ...{ value: `${id}`, name },
      label: clientIds.length > 1 ? `${name} · ${client.name}` : name,
    })),
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

/** Says which days a change from a day on concerns: until the next settings, and before the first ones, too. */
function useSpanText({ settings }: BusWithSettings, day: string): string {
  const said = useSettingsText();
  const next = settings.findLast(({ valid_from }) => valid_from > day);
  const hasEarlier = settings.some(({ valid_from }) => valid_from < day);
  return [
    said.shown,
    next ? said.until(formatDay(addDays(next.valid_from, -1))) : said.since,
    hasEarlier ? said.earlierStay : said.earlierChange,
  ].join(' ');
}

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
  const span = useSpanText(bus, day);
  const isAdmin = context.user.role === 'ADMIN';
  const routes = useRouteOptions(
    bus.clients.map(({ id }) => id),
    isAdmin,
  );
  const { fields, sources } = text;
  const { group, timezone, count_source } = settingsOn(bus, day);
  const route = `${group?.id ?? ''}`;
  // It may belong to a former customer.
  const unlisted = group && routes.every(({ value }) => value !== route);
  const options = unlisted ? [{ value: route, label: group.name }, ...routes] : routes;
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
      <p className={fieldStyles.note}>{span}</p>
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
