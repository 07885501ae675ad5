import { findAttentionSettings } from '@ridewatch/contract/attention';
import { findHome } from '@ridewatch/contract/home';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEndpoint } from '../../calls/api.ts';
import { useSession } from '../../core/session.ts';
import { Select } from '../../forms/select.tsx';
import { fullName } from '../../i18n/format.ts';
import { Waiting } from '../../page/waiting.tsx';
import { useTitle } from '../../ui/use-title.ts';
import styles from './alerts.module.css';
import { AlertsForm } from './alerts-form.tsx';
import { useAlertsText } from './use-alerts-text.ts';

/** The value of the choice that means the installation. */
const INSTALLATION = 'installation';

/** When something needs attention, and who is told: the settings of a customer, or of the installation. */
export function AlertsScreen() {
  const text = useAlertsText();
  useTitle(text.title);
  const navigate = useNavigate();
  const { customer } = useSearch({ from: '/signed-in/alerts' });
  const { choices, first } = useOwners();
  const chosen = choices.find(({ value }) => value === customer)?.value ?? customer ?? first;
  const input = chosen === undefined || chosen === INSTALLATION ? {} : { clientId: Number(chosen) };
  const answer = useEndpoint(
    findAttentionSettings,
    { query: input },
    { enabled: chosen !== undefined && (chosen === INSTALLATION || /^\d+$/.test(chosen)) },
  );
  const { data } = answer;
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <div>
          <h1 className="phone-hidden">{text.title}</h1>
          <p>{text.intro}</p>
        </div>
        {choices.length > 1 && (
          <Select
            label={text.whose}
            value={chosen ?? null}
            options={choices}
            onChange={(next) =>
              void navigate({ to: '/alerts', search: { customer: next }, replace: true })
            }
          />
        )}
      </header>
      {!data && (answer.isFetching || answer.isError) && (
        <Waiting answer={answer} failed={text.failedTitle} bodyPx={480} />
      )}
      {data && <AlertsForm key={data.client_id} stored={data} />}
    </div>
  );
}

// The customers whose buses the user sees; administrators also have the settings of the installation.
function useOwners() {
  const text = useAlertsText();
  const user = useSession()?.user;
  const isAdmin = user?.role === 'ADMIN';
  const isAlone = user?.role === 'CUSTOMER';
  const { data, isError } = useEndpoint(findHome, {}, { enabled: !isAlone, staleTime: 60_000 });
  const customers = (data?.customers ?? []).map(({ id, ...named }) => ({
    value: String(id),
    label: fullName(named),
  }));
  const own = [user?.client_id, ...(user?.integrator_clients ?? [])].filter((id) => id != null);
  const choices = isAdmin
    ? [{ value: INSTALLATION, label: text.installation }, ...customers]
    : customers;
  const isKnown = isAlone || isAdmin || data !== undefined || isError;
  // A customer has its own id; an integrator's own company may have no buses.
  const only = isAlone ? own[0] : (own[1] ?? own[0]);
  const first = isKnown
    ? (choices[0]?.value ?? (only === undefined ? undefined : String(only)))
    : undefined;
  return { choices, first };
}
