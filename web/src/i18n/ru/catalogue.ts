import { common } from './common.ts';
import { login } from './login.ts';
import { shell } from './shell.ts';

/** Every Russian text; the shape that each other language must have. */
export const ru = { common, login, shell };
export type Texts = typeof ru;
