import { generateKeyPairSync, sign } from 'node:crypto';

/** One element of DER (X.690): its tag, its length, its content. */
function element(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const long = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...(length < 128 ? [length] : long)]), content]);
}

const sequence = (...contents: readonly Buffer[]) => element(0x30, ...contents);
/** ecdsa-with-SHA256, 1.2.840.10045.4.3.2. */
const ALGORITHM = sequence(element(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
const timeOf = (ms: number) =>
  element(0x18, Buffer.from(new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '')));

/** Makes a certificate of `localhost` (RFC 5280) that ends at a moment, ms since 1970 UTC, and its key, as PEM. */
export function makeCertificate(endMs: number): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const commonName = element(0x06, Buffer.from('550403', 'hex'));
  const name = sequence(
    element(0x31, sequence(commonName, element(0x0c, Buffer.from('localhost')))),
  );
  const body = sequence(
    element(0x02, Buffer.from([1])),
    ...[ALGORITHM, name, sequence(timeOf(endMs - 90 * 86_400_000), timeOf(endMs)), name],
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = sign('sha256', body, privateKey);
  const whole = sequence(body, ALGORITHM, element(0x03, Buffer.from([0]), signature));
  const lines = whole.toString('base64').replace(/.{64}/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
