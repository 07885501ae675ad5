import {
  type ApiKey,
  createApiKey,
  findApiKey,
  listApiKeys,
  revokeApiKey,
} from '@ridewatch/contract/api-keys';
import { ApiScope } from '@ridewatch/contract/api-scope';
import { lastDayText } from '../../api-keys/last-day.ts';
import { en } from '../../api-keys/texts-en.ts';
import { ru } from '../../api-keys/texts-ru.ts';
import { useKeyText } from '../../api-keys/use-key-text.ts';
import { useAction } from '../../calls/api.ts';
import { call } from '../../calls/request.ts';
import { ApiError } from '../../core/api-error.ts';
import { SecretNote } from '../../forms/secret-note.tsx';
import { currentLanguage } from '../../i18n/language.ts';
import { DrawerPart } from './drawer-part.tsx';
import { isToldByForm } from './edit-form.tsx';
import { noteSecret, useSecret } from './issued-secret.ts';
import { momentText } from './moments.ts';
import { findBy, listBy, type Section } from './section.ts';
import { Sure } from './sure.tsx';
import { readAgain } from './use-rows.ts';

// Sections are values, not components: their texts are read when a row is rendered.
const keyText = () => (currentLanguage() === 'ru_RU' ? ru : en);
const scopesOf = ({ scopes }: ApiKey): string =>
  scopes.map((scope) => keyText().scopes[scope]).join(', ');
const expiryOf = (key: ApiKey): string => lastDayText(key, keyText());
const lastUseOf = ({ last_used_at }: ApiKey): string =>
  last_used_at === null ? keyText().neverUsed : momentText(last_used_at);
const fieldOf = (scope: ApiScope): string => `scope_${scope}`;

/** API keys of customers. */
export const keys: Section<ApiKey> = {
  name: 'keys',
  list: listBy(listApiKeys),
  find: findBy(findApiKey, 'keyId'),
  columns: ({ text }) => [
    {
      ...{ key: 'name', label: keyText().name, sort: 'name', width: 'minmax(140px, 1.5fr)' },
      cell: ({ name }) => name,
    },
    {
      ...{ key: 'client', label: text.fields.client_id, sort: 'client' },
      ...{ width: 'minmax(120px, 1fr)', cell: ({ client }) => client.name },
    },
    {
      ...{ key: 'scopes', label: keyText().scopesLabel, width: 'minmax(160px, 2fr)' },
      cell: scopesOf,
    },
    {
      ...{ key: 'used', label: keyText().lastUsed, sort: 'last_used_at', width: '150px' },
      cell: lastUseOf,
    },
    { key: 'expires', label: keyText().lastDay, width: '150px', cell: expiryOf },
  ],
  filters: ({ text }) => [
    { key: 'client', query: 'clientId', label: text.fields.client_id, kind: 'client' },
  ],
  titleOf: ({ name }) => name,
  noteOf: ({ client, ...row }) => `${client.name} · ${scopesOf({ client, ...row })}`,
  facts: (row, { text }) => [
    [text.fields.client_id, row.client.name],
    [keyText().scopesLabel, scopesOf(row)],
    [keyText().lastDay, expiryOf(row)],
    [keyText().lastUsed, lastUseOf(row)],
    [keyText().createdBy, row.created_by.name],
    [text.fields.created_at, momentText(row.created_at)],
  ],
  create: ({ text, clients }) => ({
    fields: [
      {
        ...{ key: 'client_id', kind: 'pick', label: text.fields.client_id, isRequired: true },
        options: clients.map(({ id, name }) => ({ value: `${id}`, label: name })),
      },
      { key: 'name', kind: 'text', label: keyText().name, isRequired: true },
      ...ApiScope.options.map((scope) => ({
        ...{ key: fieldOf(scope), kind: 'yes' as const },
        label: keyText().scopes[scope],
      })),
      { key: 'last_day', kind: 'day', label: keyText().lastDay },
    ],
    values: {
      client_id: clients.length === 1 ? `${clients[0]?.id}` : '',
      ...{ name: '', last_day: '' },
      ...Object.fromEntries(ApiScope.options.map((scope) => [fieldOf(scope), false])),
    },
    save: async ({ client_id, name, last_day, ...chosen }) => {
      const scopes = ApiScope.options.filter((scope) => chosen[fieldOf(scope)] === true);
      const field = fieldOf(ApiScope.options.at(-1) ?? 'video');
      if (scopes.length === 0) throw new ApiError(400, 'invalid_request', '', { field });
      const body = { client_id, name, scopes, last_day: last_day || null } as never;
      const made = await call(createApiKey, { body, isQuiet: isToldByForm });
      noteSecret('keys', made.key.id, made.secret);
      return made.key.id;
    },
  }),
  Parts: ({ row }) => <KeyParts key={row.id} row={row} />,
};

function KeyParts({ row }: { row: ApiKey }) {
  const text = useKeyText();
  const secret = useSecret('keys', row.id);
  const revoke = useAction(revokeApiKey, {
    onSuccess: () => {
      noteSecret('keys', row.id, undefined);
      return readAgain();
    },
  });
  return (
    <DrawerPart title={text.title}>
      {secret !== undefined && (
        <SecretNote title={text.madeTitle} text={text.madeText} secret={secret} />
      )}
      <p>{text.note}</p>
      <div>
        <Sure
          label={text.revoke}
          text={text.revokeText}
          isBusy={revoke.isPending}
          onSure={() => revoke.mutate({ params: { keyId: row.id } })}
        />
      </div>
    </DrawerPart>
  );
}
