import { findUnitPorts, type UnitPorts } from '@ridewatch/contract/admin-unit-ports';
import type { UnitProtocol } from '@ridewatch/contract/unit-protocols';
import { useEndpoint } from '../../calls/api.ts';
import { momentText } from '../admin/moments.ts';
import { protocolVariables } from '../admin/protocol-variables.ts';
import { useConnectText } from './use-connect-text.ts';
import { useIsAdmin } from './use-is-admin.ts';

/** A refused address is looked for so often, ms. */
const REFUSED_MS = 10_000;

/** Says that a server takes data from certain addresses only, and which it refused last; else nothing. */
export function OnlyFrom({ protocol, isAsking }: { protocol: UnitProtocol; isAsking: boolean }) {
  const { others: text } = useConnectText();
  const isAdmin = useIsAdmin();
  const ownOf = (ports: UnitPorts | undefined) =>
    ports?.protocols.find((one) => one.protocol === protocol);
  const { data } = useEndpoint(
    findUnitPorts,
    {},
    {
      refetchInterval: ({ state }) =>
        isAsking && ownOf(state.data)?.is_limited !== false && REFUSED_MS,
    },
  );
  const own = ownOf(data);
  if (!own?.is_limited) return null;
  const last = own.last_refused;
  return (
    <p role="status">
      {text.onlyFrom(protocolVariables[protocol].from, isAdmin)}{' '}
      {last && text.refusedLast(last.address, momentText(last.at))}
    </p>
  );
}
