import type { Texts } from '../ru/catalogue.ts';
import { common } from './common.ts';
import { login } from './login.ts';
import { shell } from './shell.ts';

/** The English texts of the shell and sign-in. */
export const en: Texts = { common, login, shell };
