import { listUsers } from '@ridewatch/contract/admin-users';
import { MAX_PAGE_SIZE } from '@ridewatch/contract/paging';
import { useState } from 'react';
import { useEndpoint } from '../../calls/api.ts';
import { PickField } from '../../forms/pick-field.tsx';
import { currentLanguage } from '../../i18n/language.ts';
import { useAddress } from '../../page/use-address.ts';
import { actions as en } from './action-texts-en.ts';
import { actions as ru } from './action-texts-ru.ts';
import type { AdminAddress } from './address.ts';
import styles from './filters-bar.module.css';
import type { Option } from './form-values.ts';
import { useAdminText } from './use-admin-text.ts';

const namesOf = () => (currentLanguage() === 'en_US' ? en : ru);

/** Names a command in the current language, or by its stored name if it has no text. */
export const actionName = (action: string): string => namesOf()[action] ?? action;

/** The commands by name, in the order of the current language. */
export const actionOptions = (): readonly Option[] =>
  Object.entries(namesOf())
    .map(([value, label]) => ({ value, label }))
    .sort((a, b) => a.label.localeCompare(b.label));

/** The filters with many options: who gave a command, and which one. Typing a part of a name finds it. */
export function AuditFilters() {
  const text = useAdminText();
  const { data } = useEndpoint(listUsers, { query: { perPage: MAX_PAGE_SIZE } });
  const users = (data?.items ?? []).map(({ id, login }) => ({ value: `${id}`, label: login }));
  return (
    <div className={styles.bar}>
      <ManyFilter name="who" label={text.audit.who} options={users} />
      <ManyFilter name="action" label={text.audit.action} options={actionOptions()} />
    </div>
  );
}

interface ManyFilterProps {
  name: 'who' | 'action';
  label: string;
  options: readonly Option[];
}

function ManyFilter({ name, label, options }: ManyFilterProps) {
  const text = useAdminText();
  const { search, note } = useAddress<AdminAddress>();
  const [typed, setTyped] = useState<string>();
  return (
    <div className={styles.filter}>
      <PickField
        {...{ label, options }}
        placeholder={`${label}: ${text.all}`}
        value={typed ?? search[name] ?? ''}
        onChange={(next) => {
          const isTyping = next.startsWith('?');
          setTyped(isTyping ? next : undefined);
          if (!isTyping) note({ [name]: next || undefined });
        }}
      />
    </div>
  );
}
