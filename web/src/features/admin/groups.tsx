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
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction, useEndpoint } from '../../calls/api.ts';
import { call } from '../../calls/request.ts';
import { PickField } from '../../forms/pick-field.tsx';
import { formatNumber } from '../../i18n/format.ts';
import { DrawerPart } from './drawer-part.tsx';
import { isToldByForm } from './edit-form.tsx';
import type { FormField } from './form-values.ts';
import { type AdminContext, type Column, findBy, listBy, type Section } from './section.ts';
import { Sure } from './sure.tsx';
import { useAdminText } from './use-admin-text.ts';
import { readAgain } from './use-rows.ts';

type Named = { readonly name: string; readonly client: { readonly name: string } };
const nameColumns = ({ text }: AdminContext): Column<Named>[] => [
  {
    ...{ key: 'name', label: text.fields.name, sort: 'name', width: 'minmax(160px, 2fr)' },
    cell: ({ name }) => name,
  },
  {
    ...{ key: 'client', label: text.fields.client_id, sort: 'client', width: 'minmax(140px, 2fr)' },
    cell: ({ client }) => client.name,
  },
];
const clientFilter = ({ text }: AdminContext) =>
  [{ key: 'client', query: 'clientId', label: text.fields.client_id, kind: 'client' }] as const;

function fieldsOf({ text }: AdminContext): FormField[] {
  return [
    { key: 'name', kind: 'text', label: text.fields.name, isRequired: true },
    {
      ...{ key: 'type_calculation', kind: 'choice', label: text.fields.type_calculation },
      options: (['FIXED', 'CALCULATION'] as const).map((value) => ({
        value,
        label: text.calculations[value],
      })),
    },
  ];
}

/** Routes. */
export const groups: Section<AdminGroup> = {
  name: 'groups',
  list: listBy(listGroups),
  find: findBy(findGroup, 'id'),
  columns: (context) => [
    ...nameColumns(context),
    {
      ...{ key: 'type', label: context.text.fields.type_calculation, width: '150px' },
      cell: ({ type_calculation }) => context.text.calculations[type_calculation],
    },
    {
      ...{ key: 'stops', label: context.text.fields.stops, sort: 'stops', width: '110px' },
      ...{ isNumber: true, cell: ({ stops }) => formatNumber(stops) },
    },
    {
      ...{ key: 'buses', label: context.text.fields.buses, sort: 'buses', width: '110px' },
      ...{ isNumber: true, cell: ({ buses }) => formatNumber(buses) },
    },
  ],
  filters: clientFilter,
  titleOf: ({ name }) => name,
  noteOf: ({ client, buses }, { text }) =>
    `${client.name} · ${text.fields.buses}: ${formatNumber(buses)}`,
  facts: (row, { text }) => [
    [text.fields.client_id, row.client.name],
    [text.fields.type_calculation, text.calculations[row.type_calculation]],
    [text.fields.stops, formatNumber(row.stops)],
    [text.fields.buses, formatNumber(row.buses)],
  ],
  create: (context) => ({
    fields: [
      {
        ...{ key: 'client_id', kind: 'pick', isRequired: true },
        label: context.text.fields.client_id,
        options: context.clients.map(({ id, name }) => ({ value: `${id}`, label: name })),
      },
      ...fieldsOf(context),
    ],
    values: {
      client_id: context.clients.length === 1 ? `${context.clients[0]?.id}` : '',
      ...{ name: '', type_calculation: 'FIXED' },
    },
    save: async (fields) =>
      (await call(createGroup, { body: fields as never, isQuiet: isToldByForm })).id,
  }),
  edit: (row, context) => ({
    fields: fieldsOf(context),
    values: { name: row.name, type_calculation: row.type_calculation },
    // A route has no version: the server compares what the user saw.
    save: async (changed) => {
      const { name, type_calculation } = row;
      const body = { ...changed, seen: { name, type_calculation } };
      const params = { groupId: row.id as never };
      await call(updateRoute, { params, body, isQuiet: isToldByForm });
      return row.id;
    },
  }),
  Parts: ({ row }) => <DeletePart row={row} />,
};

function DeletePart({ row }: { row: AdminGroup }) {
  const text = useAdminText();
  const navigate = useNavigate();
  const action = useAction(deleteGroup, {
    onSuccess: async () => {
      await navigate({ to: '/admin/{-$section}/{-$id}', params: { section: 'groups' } });
      await readAgain();
    },
  });
  return (
    <Sure
      label={text.deleteGroup}
      text={text.deleteGroupText}
      isBusy={action.isPending}
      onSure={() => action.mutate({ params: { id: row.id as never } })}
    />
  );
}

const DEGREES = { kind: 'decimal', isRequired: true } as const;
/** As precise as a metre, written as the forms take it. */
const degreesText = (degrees: number): string => degrees.toFixed(5);

/** Stops as places. */
export const classifiers: Section<AdminClassifier> = {
  name: 'classifiers',
  list: listBy(listClassifiers),
  find: findBy(findClassifier, 'classifierId'),
  columns: (context) => [
    ...nameColumns(context),
    {
      ...{ key: 'groups', label: context.text.fields.groups, sort: 'groups', width: '110px' },
      ...{ isNumber: true, cell: ({ groups: count }) => formatNumber(count) },
    },
    {
      ...{ key: 'latitude', label: context.text.fields.latitude, width: '100px', isNumber: true },
      cell: ({ latitude }) => degreesText(latitude),
    },
    {
      ...{ key: 'longitude', label: context.text.fields.longitude, width: '100px', isNumber: true },
      cell: ({ longitude }) => degreesText(longitude),
    },
  ],
  filters: clientFilter,
  titleOf: ({ name }) => name,
  noteOf: ({ client, groups: count }, { text }) =>
    `${client.name} · ${text.fields.groups}: ${formatNumber(count)}`,
  facts: (row, { text }) => [
    [text.fields.client_id, row.client.name],
    [text.fields.groups, formatNumber(row.groups)],
    [text.fields.latitude, row.latitude],
    [text.fields.longitude, row.longitude],
  ],
  edit: (row, { text }) => ({
    fields: [
      { key: 'name', kind: 'text', label: text.fields.name, isRequired: true },
      { key: 'latitude', label: text.fields.latitude, least: -90, most: 90, ...DEGREES },
      { key: 'longitude', label: text.fields.longitude, least: -180, most: 180, ...DEGREES },
    ],
    values: { name: row.name, latitude: `${row.latitude}`, longitude: `${row.longitude}` },
    save: async (changed, version) => {
      const params = { classifierId: row.id as never };
      const body = { ...changed, version };
      return (await call(updateClassifier, { params, body, isQuiet: isToldByForm })).id;
    },
  }),
  Parts: ({ row }) => <MergePart key={row.id} row={row} />,
};

function MergePart({ row }: { row: AdminClassifier }) {
  const text = useAdminText();
  const navigate = useNavigate();
  const [into, setInto] = useState('');
  const query = { clientId: row.client.id, perPage: MAX_PAGE_SIZE };
  const { data } = useEndpoint(listClassifiers, { query });
  const action = useAction(mergeClassifiers, {
    onSuccess: async ({ id }) => {
      const params = { section: 'classifiers', id: `${id}` };
      await navigate({ to: '/admin/{-$section}/{-$id}', params });
      await readAgain();
    },
  });
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
              params: { classifierId: row.id as never },
              body: { into: Number(into) },
            })
          }
        />
      )}
    </DrawerPart>
  );
}
