import { drawn } from '../ui/icons.tsx';

export const PlusIcon = drawn('M12 5v14M5 12h14');
export const MinusIcon = drawn('M5 12h14');
