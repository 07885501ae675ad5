import { textsOf } from '../../i18n/texts-of.ts';
import { en } from './map-texts-en.ts';
import { type MapTexts, ru } from './map-texts-ru.ts';
import type { HomeTexts } from './texts-ru.ts';
import { useHomeText } from './use-home-text.ts';

/** The texts that the map and its parts read. */
export type FleetTexts = HomeTexts & MapTexts;

const useOwnText = textsOf({ ru_RU: ru, en_US: en });

/** The texts of the page and of its map in the current language. */
export const useFleetText = (): FleetTexts => ({ ...useHomeText(), ...useOwnText() });
