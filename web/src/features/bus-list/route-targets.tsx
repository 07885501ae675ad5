import { setRoute } from '@ridewatch/contract/bus-routes';
import type { Bus } from '@ridewatch/contract/buses';
import { listBuses } from '@ridewatch/contract/buses';
import { keyOf, queryClient, useAction } from '../../calls/api.ts';
import type { MoveTarget } from './move-targets.ts';
import styles from './route-targets.module.css';
import { useListText } from './use-list-text.ts';

interface RouteTargetsProps {
  bus: Bus;
  targets: readonly MoveTarget[];
  onDone: () => void;
}

/** The routes to which a bus can move, as buttons; the list is read again afterwards. */
export function RouteTargets({ bus, targets, onDone }: RouteTargetsProps) {
  const text = useListText();
  const move = useAction(setRoute, {
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keyOf(listBuses, {}) }),
    onSettled: onDone,
  });
  return (
    <div className={styles.targets}>
      {targets.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          disabled={move.isPending}
          onClick={() => move.mutate({ body: { groupId: id, workplaceId: bus.id } })}
        >
          {name === null ? text.removeFromRoute : text.moveTo(name)}
        </button>
      ))}
    </div>
  );
}
