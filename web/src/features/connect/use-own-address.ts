import { findUnitPorts } from '@ridewatch/contract/admin-unit-ports';
import { useEndpoint } from '../../calls/api.ts';
import { useProtocolText } from '../admin/use-protocol-text.ts';
import { useConnectText } from './use-connect-text.ts';

/** Names and addresses by which only the machine itself knows the server. */
const OWN_NAMES = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Warns of an address that only the server itself knows.
 * @returns for the whole page, of the address of units; for units with a credential, which use the one of this page;
 *   each undefined: nothing is wrong, it is not known yet, or the page says it already
 */
export function useOwnAddress(): { ofPage: string | undefined; ofCredential: string | undefined } {
  const text = useConnectText();
  const { address } = useProtocolText();
  const { data } = useEndpoint(findUnitPorts, {});
  const here = OWN_NAMES.test(location.hostname) ? text.ownAddress(location.origin) : undefined;
  if (data === undefined) return { ofPage: undefined, ofCredential: here };
  if (data.public_url === null) return { ofPage: here, ofCredential: undefined };
  const { hostname } = new URL(data.public_url);
  if (!OWN_NAMES.test(hostname)) return { ofPage: undefined, ofCredential: here };
  return { ofPage: address.own(hostname), ofCredential: undefined };
}
