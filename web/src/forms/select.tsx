import { lazyComponent } from '../core/lazy-component.tsx';
import styles from './select.module.css';

/** A field for one of many options, by pointer or keyboard: arrows, Home, End, Enter and first letters. */
export const Select = lazyComponent(
  async () => (await import('./controls/select-box.tsx')).SelectBox,
  () => <div className={styles.waiting} />,
);
