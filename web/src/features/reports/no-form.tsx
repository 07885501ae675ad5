import { EmptyState } from '../../ui/empty-state.tsx';
import styles from './reports-screen.module.css';

interface NoFormProps {
  title: string;
  reason: string;
  /** The advice. */
  text: string;
}

/** Takes the place of a report's form that the user cannot have here. */
export function NoForm({ title, reason, text }: NoFormProps) {
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 className="phone-hidden">{title}</h1>
      </header>
      <EmptyState title={reason} text={text} />
    </div>
  );
}
