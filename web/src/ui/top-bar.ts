import { createContext, use } from 'react';

const Slot = createContext<HTMLElement | null>(null);

/** Provides the place in a phone's top bar in which a screen shows a title of its own. */
export const TopBarSlot = Slot.Provider;

/** The place in a phone's top bar for a screen's own title; null on a desktop, and until it is rendered. */
export const useTopBarSlot = (): HTMLElement | null => use(Slot);
