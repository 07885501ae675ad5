import {
  type AdminClassifier,
  type AdminGroup,
  createGroup,
  deleteGroup,
  findClassifier,
  findGroup,
  listClassifiers,
  listGroups,
  mergeClassifiers,
  updateClassifier,
} from '@ridewatch/contract/admin-groups';
import { MAX_PAGE_SIZE } from '@ridewatch/contract/paging';
import { updateRoute } from '@ridewatch/contract/routes';
import { useState } from 'react';
import { useEndpoint } from '../../calls/api.ts';
import { PickField } from '../../forms/pick-field.tsx';
import { formatNumber } from '../../i18n/format.ts';
import { DrawerPart } from './drawer-part.tsx';
import { useRowAction } from './row-calls.ts';
import {
  type AdminContext,
  clientFilter,
  clientOptions,
  findBy,
  listBy,
  onlyClient,
  optionsOf,
  type Property,
  type Section,
} from './section.ts';
import { formsOf } from './section-form.ts';
import { Sure } from './sure.tsx';
import { useAdminText } from './use-admin-text.ts';
import { useOnward } from './use-still-here.ts';

type Named = { readonly name: string; readonly client: { readonly name: string } };

function nameProperties<Row extends Named>({ text }: AdminContext): readonly Property<Row>[] {
  const { name: label, client_id } = text.fields;
  return [
    {
      ...{ key: 'name', label, sort: 'name', width: 'minmax(160px, 2fr)' },
      ...{ value: ({ name }) => name, inDrawer: 'none' },
    },
    {
      ...{ key: 'client', label: client_id, sort: 'client', width: 'minmax(140px, 2fr)' },
      value: ({ client }) => client.name,
    },
  ];
}

const COUNT = { width: '110px', isNumber: true } as const;

/** Routes. */
export const groups: Section<AdminGroup> = {
  name: 'groups',
  list: listBy(listGroups),
  find: findBy(findGroup, 'id'),
  properties: (context) => {
    const { fields, calculations } = context.text;
    return [
      ...nameProperties<AdminGroup>(context),
      {
        ...{ key: 'type', label: fields.type_calculation, width: '150px' },
        value: ({ type_calculation }) => calculations[type_calculation],
      },
      {
        ...{ key: 'stops', label: fields.stops, sort: 'stops', ...COUNT },
        value: ({ stops }) => formatNumber(stops),
      },
      {
        ...{ key: 'buses', label: fields.buses, sort: 'buses', ...COUNT },
        value: ({ buses }) => formatNumber(buses),
      },
    ];
  },
  filters: (context) => [clientFilter(context)],
  titleOf: ({ name }) => name,
  noteOf: ({ client, buses }, { text }) =>
    `${client.name} · ${text.fields.buses}: ${formatNumber(buses)}`,
  ...formsOf({
    create: { by: createGroup, idOf: ({ id }) => id },
    change: { by: updateRoute, params: ({ id }: AdminGroup) => ({ groupId: id }) },
    fields: (context) => {
      const { fields, calculations } = context.text;
      return [
        {
          ...{ key: 'client_id', kind: 'pick', label: fields.client_id, isRequired: true },
          ...{ options: clientOptions(context), initial: onlyClient(context), only: 'new' },
        },
        { key: 'name', kind: 'text', label: fields.name, isRequired: true },
        {
          ...{ key: 'type_calculation', kind: 'choice', label: fields.type_calculation },
          ...{ options: optionsOf(['FIXED', 'CALCULATION'], calculations), initial: 'FIXED' },
        },
      ];
    },
  }),
  Actions: DeleteRoute,
};

function DeleteRoute({ row }: { row: AdminGroup }) {
  const text = useAdminText();
  const goOn = useOnward('groups');
  const action = useRowAction(deleteGroup, { onSuccess: () => goOn() });
  return (
    <Sure
      label={text.deleteGroup}
      text={text.deleteGroupText}
      isBusy={action.isPending}
      onSure={() => action.mutate({ params: { id: row.id } })}
    />
  );
}

/** As precise as a metre, written as the forms take it. */
const degreesText = (degrees: number): string => degrees.toFixed(5);

/** Stops as places. */
export const classifiers: Section<AdminClassifier> = {
  name: 'classifiers',
  none: ({ noPlaces }) => noPlaces,
  list: listBy(listClassifiers),
  find: findBy(findClassifier, 'classifierId'),
  properties: (context) => {
    const { fields } = context.text;
    return [
      ...nameProperties<AdminClassifier>(context),
      {
        ...{ key: 'groups', label: fields.groups, sort: 'groups', ...COUNT },
        value: ({ groups: count }) => formatNumber(count),
      },
      ...(['latitude', 'longitude'] as const).map((key) => ({
        ...{ key, label: fields[key], width: '100px', isNumber: true },
        value: (row: AdminClassifier) => degreesText(row[key]),
        inDrawer: (row: AdminClassifier) => row[key],
      })),
    ];
  },
  filters: (context) => [clientFilter(context)],
  titleOf: ({ name }) => name,
  noteOf: ({ client, groups: count }, { text }) =>
    `${client.name} · ${text.fields.groups}: ${formatNumber(count)}`,
  ...formsOf({
    change: { by: updateClassifier, params: ({ id }: AdminClassifier) => ({ classifierId: id }) },
    fields: ({ text: { fields } }) => {
      const degrees = { kind: 'decimal', isRequired: true } as const;
      return [
        { key: 'name', kind: 'text', label: fields.name, isRequired: true },
        { key: 'latitude', label: fields.latitude, least: -90, most: 90, ...degrees },
        { key: 'longitude', label: fields.longitude, least: -180, most: 180, ...degrees },
      ];
    },
  }),
  Parts: ({ row }) => <MergePart key={row.id} row={row} />,
};

function MergePart({ row }: { row: AdminClassifier }) {
  const text = useAdminText();
  const goOn = useOnward('classifiers');
  const [into, setInto] = useState('');
  const query = { clientId: row.client.id, perPage: MAX_PAGE_SIZE };
  const { data } = useEndpoint(listClassifiers, { query });
  const action = useRowAction(mergeClassifiers, { onSuccess: ({ id }) => goOn(id) });
  const others = (data?.items ?? []).filter(({ id }) => id !== row.id);
  return (
    <DrawerPart title={text.merge}>
      <PickField
        label={text.fields.into}
        // Two places may have one name.
        options={others.map(({ id, name }) => ({
          value: `${id}`,
          name,
          label: `${name} · № ${id}`,
        }))}
        value={into}
        problem={into.startsWith('?') ? text.chooseFromList : undefined}
        onChange={setInto}
      />
      {into !== '' && !into.startsWith('?') && (
        <Sure
          label={text.merge}
          text={text.mergeText}
          isBusy={action.isPending}
          onSure={() =>
            action.mutate({
              params: { classifierId: row.id },
              body: { into: Number(into) },
            })
          }
        />
      )}
    </DrawerPart>
  );
}
