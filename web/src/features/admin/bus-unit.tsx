import { findUnit } from '@ridewatch/contract/admin-units';
import { useEndpoint } from '../../calls/api.ts';
import { Facts, factsOf } from './drawer-part.tsx';
import { isGone } from './is-gone.ts';
import type { AdminContext } from './section.ts';
import { units } from './units.tsx';

/** Shows what the unit of a bus says of itself, as in the unit's own drawer. */
export function UnitFacts({ unitId, context }: { unitId: number; context: AdminContext }) {
  const { data } = useEndpoint(findUnit, { params: { unitId } }, { isQuiet: isGone });
  const told = units.properties(context).filter(({ key }) => key !== 'bus' && key !== 'created_at');
  return <Facts facts={data ? factsOf(told, data) : []} />;
}
