import { useSession } from '../../core/session.ts';

/** Whether an administrator looks: nobody else sees unknown units. */
export const useIsAdmin = (): boolean => useSession()?.user.role === 'ADMIN';
