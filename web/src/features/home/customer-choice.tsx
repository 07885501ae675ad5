import type { Home } from '@ridewatch/contract/home';
import { Link } from '@tanstack/react-router';
import { formatNumber, fullName } from '../../i18n/format.ts';
import { DownIcon } from '../../ui/icons.tsx';
import { Popover } from '../../ui/popover.tsx';
import styles from './customer-choice.module.css';
import type { HomeTexts } from './texts-ru.ts';

interface CustomerChoiceProps {
  customers: Home['customers'];
  chosenId: number | undefined;
  /** Buses of the shown figures. */
  buses: number;
  text: HomeTexts;
}

/** Chooses whose day is shown: that of all customers, or of one. The address names the chosen one. */
export function CustomerChoice({ customers, chosenId, buses, text }: CustomerChoiceProps) {
  const chosen = customers.find(({ id }) => id === chosenId);
  const name = chosen ? fullName(chosen) : text.allCustomers;
  return (
    <Popover
      // All that the button shows, as a name must.
      label={`${text.customer}: ${name} ${text.busCount(buses)}`}
      buttonClass={styles.button}
      button={
        <>
          <strong>{name}</strong> <small>{text.busCount(buses)}</small>
          <DownIcon />
        </>
      }
    >
      {(close) => (
        <ul className={styles.list}>
          <li>
            <Choice id={undefined} isChosen={!chosen} onChoose={close}>
              {text.allCustomers}
            </Choice>
          </li>
          {customers.map((customer) => (
            <li key={customer.id}>
              <Choice id={customer.id} isChosen={customer === chosen} onChoose={close}>
                {fullName(customer)} <small>{formatNumber(customer.buses)}</small>
              </Choice>
            </li>
          ))}
        </ul>
      )}
    </Popover>
  );
}

interface ChoiceProps {
  id: number | undefined;
  isChosen: boolean;
  onChoose: () => void;
  children: React.ReactNode;
}

function Choice({ id, isChosen, onChoose, children }: ChoiceProps) {
  return (
    <Link
      to="/"
      search={(before) => ({ ...before, customer: id === undefined ? undefined : String(id) })}
      aria-current={isChosen}
      onClick={onChoose}
    >
      {children}
    </Link>
  );
}
