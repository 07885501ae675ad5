import { Link } from '@tanstack/react-router';
import { useSession } from '../../core/session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import styles from './bus-list-screen.module.css';
import { useListText } from './use-list-text.ts';

/** Says that there are no buses yet, and leads those who add buses to where they do. */
export function NoBuses() {
  const text = useListText();
  const role = useSession()?.user.role;
  if (role !== 'ADMIN' && role !== 'INTEGRATOR') {
    return <EmptyState title={text.emptyTitle} text={text.emptyText} />;
  }
  return (
    <EmptyState title={text.emptyTitle} text={text.addText}>
      {role === 'ADMIN' ? (
        <Link to="/" className={styles.add}>
          {text.firstSteps}
        </Link>
      ) : (
        <Link
          to="/admin/{-$section}/{-$id}"
          params={{ section: 'buses', id: 'new' }}
          search={{}}
          className={styles.add}
        >
          {text.addBus}
        </Link>
      )}
    </EmptyState>
  );
}
