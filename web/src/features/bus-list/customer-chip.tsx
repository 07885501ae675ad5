import type { Customer } from '@ridewatch/contract/auth';
import type { BusList } from '@ridewatch/contract/buses';
import { arrangeBuses, type CustomerBuses, headingOf } from '../../buses/order.ts';
import { CloseIcon } from '../../ui/icons.tsx';
import styles from './filters.module.css';
import { useListText } from './use-list-text.ts';

/**
 * The buses that are under one customer today, also those that the whole list has under another one.
 * @param all the sections of all customers
 * @param id as text; undefined, or of no listed customer: all sections
 */
export function ofCustomer(
  list: BusList,
  all: readonly CustomerBuses[],
  id: string | undefined,
): readonly CustomerBuses[] {
  const customer = list.customers.find((one) => String(one.id) === id);
  if (customer === undefined) return all;
  const own = arrangeBuses(list, customer.id);
  return own.length > 0 ? own : [{ customer, routes: [] }];
}

interface CustomerChipProps {
  customer: Customer | null;
  onRemove: () => void;
}

/** Says that only the buses of one customer are listed; a press lists all again. */
export function CustomerChip({ customer, onRemove }: CustomerChipProps) {
  const own = useListText();
  const name = headingOf(customer);
  return (
    <button
      type="button"
      className={styles.customer}
      aria-label={own.onlyOf(name)}
      title={own.onlyOf(name)}
      onClick={onRemove}
    >
      {name}
      <CloseIcon />
    </button>
  );
}
