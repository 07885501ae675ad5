import type { Texts } from '../ru/catalogue.ts';
import { common } from './common.ts';
import { login } from './login.ts';
import { shell } from './shell.ts';

/** Every English text. */
export const en: Texts = { common, login, shell };
