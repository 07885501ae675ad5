import {
  type ApiKey,
  createApiKey,
  findApiKey,
  listApiKeys,
  revokeApiKey,
} from '@ridewatch/contract/api-keys';
import { ApiScope } from '@ridewatch/contract/api-scope';
import { Link } from '@tanstack/react-router';
import { lastDayText } from '../../api-keys/last-day.ts';
import { en } from '../../api-keys/texts-en.ts';
import { ru } from '../../api-keys/texts-ru.ts';
import { useKeyText } from '../../api-keys/use-key-text.ts';
import { ApiError } from '../../core/api-error.ts';
import { SecretNote } from '../../forms/secret-note.tsx';
import { currentLanguage } from '../../i18n/language.ts';
import { showToast } from '../../ui/toast-store.ts';
import styles from './drawer.module.css';
import { DrawerPart } from './drawer-part.tsx';
import { noteSecret, useSecret } from './issued-secret.ts';
import { momentText } from './moments.ts';
import { useRowAction } from './row-calls.ts';
import {
  callWith,
  clientFilter,
  clientOptions,
  findBy,
  listBy,
  onlyClient,
  type Section,
} from './section.ts';
import { isToldByForm } from './section-form.ts';
import { Sure } from './sure.tsx';
import { useOnward } from './use-still-here.ts';

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
  none: () => keyText().noneYet,
  properties: ({ text }) => {
    const own = keyText();
    return [
      {
        ...{ key: 'name', label: own.name, sort: 'name', width: 'minmax(140px, 1.5fr)' },
        ...{ value: ({ name }) => name, inDrawer: 'none' },
      },
      {
        ...{ key: 'client', label: text.fields.client_id, sort: 'client' },
        ...{ width: 'minmax(120px, 1fr)', value: ({ client }) => client.name },
      },
      { key: 'scopes', label: own.scopesLabel, width: 'minmax(160px, 2fr)', value: scopesOf },
      {
        ...{ key: 'used', label: own.lastUsed, sort: 'last_used_at' },
        ...{ width: '150px', value: lastUseOf },
      },
      { key: 'expires', label: own.lastDay, width: '150px', value: expiryOf },
      { key: 'created_by', label: own.createdBy, value: ({ created_by }) => created_by.name },
      {
        ...{ key: 'created_at', label: text.fields.created_at },
        value: ({ created_at }) => momentText(created_at),
      },
    ];
  },
  filters: (context) => [clientFilter(context)],
  titleOf: ({ name }) => name,
  noteOf: (row) => `${row.client.name} · ${scopesOf(row)}`,
  // The form has a field for each scope, and the call one list.
  create: (context) => ({
    fields: [
      {
        ...{ key: 'client_id', kind: 'pick', label: context.text.fields.client_id },
        ...{ isRequired: true, options: clientOptions(context) },
      },
      { key: 'name', kind: 'text', label: keyText().name, isRequired: true },
      ...ApiScope.options.map((scope) => ({
        ...{ key: fieldOf(scope), kind: 'yes' as const },
        ...{ label: keyText().scopes[scope], group: keyText().scopesLabel },
      })),
      {
        ...{ key: 'last_day', kind: 'day', label: keyText().lastDay },
        note: (value) => value === '' && keyText().noLastDay,
      },
    ],
    values: {
      ...{ client_id: onlyClient(context), name: '', last_day: '' },
      ...Object.fromEntries(ApiScope.options.map((scope) => [fieldOf(scope), false])),
    },
    save: async ({ client_id, name, last_day, ...chosen }) => {
      const scopes = ApiScope.options.filter((scope) => chosen[fieldOf(scope)] === true);
      const field = fieldOf(ApiScope.options.at(-1) ?? 'video');
      if (scopes.length === 0) throw new ApiError(400, 'invalid_request', '', { field });
      const body = { client_id, name, scopes, last_day: last_day || null };
      const made = await callWith(createApiKey, { body, isQuiet: isToldByForm });
      noteSecret('keys', made.key.id, made.secret);
      return made.key.id;
    },
  }),
  Actions: RevokeKey,
  Parts: ({ row }) => <KeyParts key={row.id} row={row} />,
};

function KeyParts({ row }: { row: ApiKey }) {
  const text = useKeyText();
  const secret = useSecret('keys', row.id);
  return (
    <DrawerPart title={text.access}>
      {secret !== undefined && (
        <SecretNote title={text.madeTitle} text={text.madeText} secret={secret} />
      )}
      <p>{text.customerNote}</p>
      <Link
        to="/help/{-$page}"
        params={{ page: 'api' }}
        search={{}}
        target="_blank"
        className={styles.more}
      >
        {text.calls}
      </Link>
    </DrawerPart>
  );
}

function RevokeKey({ row }: { row: ApiKey }) {
  const text = useKeyText();
  const goOn = useOnward('keys');
  const revoke = useRowAction(revokeApiKey, {
    onSuccess: () => {
      noteSecret('keys', row.id, undefined);
      showToast({ kind: 'done', text: text.revoked });
      return goOn();
    },
  });
  return (
    <Sure
      label={text.revoke}
      text={text.revokeText}
      isBusy={revoke.isPending}
      onSure={() => revoke.mutate({ params: { keyId: row.id } })}
    />
  );
}
