import { useSession } from '../core/session.ts';
import { useText } from '../i18n/language.ts';

/**
 * Why the page may change nothing, for `locked` of the buttons that would: an administrator sees the product as another
 * user. Undefined in one's own session.
 */
export function useLock(): string | undefined {
  const { locked } = useText().common;
  return useSession()?.user.viewed_by ? locked : undefined;
}
