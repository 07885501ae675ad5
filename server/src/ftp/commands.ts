// The answers of commands that only talk (RFC 959, 2389, 2428, 3659). They are as many as an upload needs; listing and
// reading are refused, and nothing is made, renamed or deleted: a login has one file, which has no name.

/** Commands before the login. */
export const openCommands: ReadonlySet<string> = new Set([
  ...['USER', 'PASS', 'QUIT', 'NOOP', 'SYST', 'FEAT', 'OPTS'],
]);

const done = '200 Done.';
const entered = '250 Done.';
const noFile = '550 There is no such file.';
const refused = '550 Nothing is listed or read here.';

const refuseActive = (): string => '502 Only PASV and EPSV.';
const rootFolder = (): string => '257 "/"';
// A client goes on into the folder that the answer names; a quote in it is doubled (RFC 959, appendix II).
const made = (argument: string): string => `257 "${argument.replaceAll('"', '""')}" created.`;

/** Answers that depend on the argument at most. */
const answers = new Map<string, (argument: string) => string>([
  ['NOOP', () => done],
  ['SYST', () => '215 UNIX Type: L8'],
  [
    'FEAT',
    () => ['211-Features:', ' EPSV', ' REST STREAM', ' SIZE', ' UTF8', '211 End'].join('\r\n'),
  ],
  [
    'OPTS',
    (argument) => (/^utf-?8( on)?$/i.test(argument) ? done : '501 There is no such option.'),
  ],
  // Registrars that forget to say I send video: the bytes of text, too, are taken as they come.
  ['TYPE', (argument) => (/^([AI]|A N|L 8)$/i.test(argument) ? done : '504 Only I and A.')],
  ['MODE', (argument) => (/^S$/i.test(argument) ? done : '504 Only S.')],
  ['STRU', (argument) => (/^F$/i.test(argument) ? done : '504 Only F.')],
  ['ALLO', () => '202 Not needed.'],
  ['ACCT', () => '202 Not needed.'],
  ['STAT', () => '211 Ready.'],
  // Registrars make folders and go into them.
  ...['PWD', 'XPWD'].map((verb) => [verb, rootFolder] as const),
  ...['MKD', 'XMKD'].map((verb) => [verb, made] as const),
  ...['CWD', 'XCWD', 'CDUP', 'XCUP'].map((verb) => [verb, () => entered] as const),
  // Some registrars upload under a passing name.
  ['RNFR', () => '350 Go on with RNTO.'],
  ['RNTO', () => entered],
  ...['DELE', 'RMD', 'XRMD', 'MDTM'].map((verb) => [verb, () => noFile] as const),
  ...['LIST', 'NLST', 'MLSD', 'MLST', 'RETR'].map((verb) => [verb, () => refused] as const),
  // The address in them may be anybody's.
  ...['PORT', 'EPRT'].map((verb) => [verb, refuseActive] as const),
]);

/** The answer of a command that changes nothing; 502 of one that is not known. @param verb in capitals */
export function answerOf(verb: string, argument: string): string {
  return answers.get(verb)?.(argument) ?? '502 Not supported.';
}
