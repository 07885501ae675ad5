import { common } from './common.ts';
import { login } from './login.ts';
import { shell } from './shell.ts';

/** The Russian texts of the shell and sign-in, and the type of the other languages. */
export const ru = { common, login, shell };
export type Texts = typeof ru;
