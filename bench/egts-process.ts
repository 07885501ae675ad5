// A process of the server that has the role ingest alone, on the database of a product: its memory is that of taking
// records, without screens, jobs and the demo's own.
import { databaseUrl, type Product, startProduct } from '../harness/product.ts';

/** Starts it. @param port of EGTS */
export async function startIngestProcess(
  product: Product,
  port: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Product> {
  return startProduct({
    args: ['--demo', '--roles', 'ingest'],
    env: { ...env, DATABASE_URL: await databaseUrl(product), EGTS_PORT: String(port) },
  });
}
